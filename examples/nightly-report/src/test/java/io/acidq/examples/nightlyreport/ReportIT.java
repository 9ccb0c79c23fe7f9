package io.acidq.examples.nightlyreport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.admin.RecurringMessages;
import io.acidq.admin.RecurringMessages.RecurringInfo;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
class ReportIT {

    private final ServerKind kind;

    ReportIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void eachTenantHasAReportEveryNightUntilItIsClosed() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        try (ConfigurableApplicationContext context =
                SpringApplication.run(ReportApplication.class, database.springArguments())) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            RecurringMessages recurring = context.getBean(RecurringMessages.class);
            Tenants tenants = context.getBean(Tenants.class);
            tenants.open("berlin", ZoneId.of("Europe/Berlin"));
            tenants.open("tokyo", ZoneId.of("Asia/Tokyo"));
            tenants.close("tokyo");

            assertThat(recurring.list("report/", 10))
                    .extracting(RecurringInfo::name)
                    .containsExactly("report/berlin");

            // as if no process had run for the last three nights
            jdbc.update("UPDATE acidq_recurring SET next_at = next_at - INTERVAL 72 HOUR WHERE name = 'report/berlin'");

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(jdbc.queryForList("SELECT missed FROM reports", Integer.class))
                            .as("one report, which stands for the nights before too")
                            .singleElement()
                            .satisfies(missed -> assertThat(missed).isBetween(1, 3)));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> jdbc.queryForObject("SELECT COUNT(*) FROM counts", Integer.class) > 0);
        }
    }
}

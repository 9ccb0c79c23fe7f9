package io.acidq.examples.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
class ShopIT {

    private static final int ORDERS = 30;

    private final ServerKind kind;

    ShopIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void eachDepartmentGetsEachOrderOnceThoughOneOfThemFails() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        try (ConfigurableApplicationContext context =
                SpringApplication.run(ShopApplication.class, database.springArguments())) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            DeadLetters dead = context.getBean(DeadLetters.class);
            MailServer mailServer = context.getBean(MailServer.class);
            DeadLetterFilter letters = DeadLetterFilter.of(ShopApplication.MAIL);
            List<Long> ids = LongStream.rangeClosed(1, ORDERS).boxed().toList();

            ids.forEach(id -> context.getBean(Checkout.class).place(new Order(id, "only customer", 100)));

            await().until(() -> dead.count(letters) == ORDERS);
            await().untilAsserted(
                            () -> assertThat(jdbc.queryForList("SELECT order_id FROM invoices ORDER BY id", Long.class))
                                    .as("in the order of their customer")
                                    .isEqualTo(ids));
            await().untilAsserted(() -> assertThat(
                            jdbc.queryForList("SELECT order_id FROM reservations ORDER BY id", Long.class))
                    .isEqualTo(ids));
            assertThat(mailServer.sent()).isZero();

            mailServer.repair();
            dead.replay(letters, BulkAction.by("ada", "the mail server is up again"));

            await().until(() -> mailServer.sent() == ORDERS);
            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM invoices", Integer.class))
                    .as("nobody else runs again")
                    .isEqualTo(ORDERS);
        }
    }
}

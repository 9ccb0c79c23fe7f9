package io.acidq.examples.nightlyreport;

import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages;
import io.acidq.devdb.DevDatabase;
import java.time.ZoneId;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Opens three tenants, shows when their reports come, and does not wait for the night. */
@SpringBootApplication(proxyBeanMethods = false)
public class ReportApplication {

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(ReportApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            Tenants tenants = context.getBean(Tenants.class);
            tenants.open("berlin", ZoneId.of("Europe/Berlin"));
            tenants.open("new-york", ZoneId.of("America/New_York"));
            tenants.open("tokyo", ZoneId.of("Asia/Tokyo"));
            RecurringMessages recurring = context.getBean(RecurringMessages.class);
            recurring
                    .list("report/", 10)
                    .forEach(each ->
                            System.out.println(each.name() + " " + each.zone() + " " + recurring.next(each.name(), 2)));
            recurring
                    .list("report/", 10)
                    .forEach(each -> recurring.trigger(each.name(), new Operator("ada", "do not wait")));
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            while (count(jdbc, "reports") < 3 || count(jdbc, "counts") == 0) {
                Thread.sleep(20);
            }
            System.out.println("reports=" + count(jdbc, "reports") + " latest tick of berlin="
                    + recurring.ticks("report/berlin", 10).get(0).result());
        }
    }

    private static int count(JdbcTemplate jdbc, String table) {
        return jdbc.queryForList("SELECT 1 FROM " + table).size();
    }
}

package io.acidq.examples.topics;

import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.Subscriptions;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.devdb.DevDatabase;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Places orders while the mail server is down, and sends the mails when it is up again. */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

    static final String MAIL = "order.placed/mail";
    private static final int ORDERS = 20;

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(ShopApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            DeadLetters dead = context.getBean(DeadLetters.class);
            MailServer mailServer = context.getBean(MailServer.class);
            System.out.println("subscriptions: "
                    + context.getBean(Subscriptions.class).list().stream()
                            .map(Subscription::queue)
                            .toList());
            for (int id = 1; id <= ORDERS; id++) {
                context.getBean(Checkout.class).place(new Order(id, "customer " + id % 3, 100 * id));
            }
            DeadLetterFilter letters = DeadLetterFilter.of(MAIL);
            while (count(jdbc, "invoices") + count(jdbc, "reservations") + dead.count(letters) < 3 * ORDERS) {
                Thread.sleep(20);
            }
            System.out.println("invoices=" + count(jdbc, "invoices") + " reservations=" + count(jdbc, "reservations")
                    + " mails=" + mailServer.sent() + " dead letters of mail=" + dead.count(letters));
            mailServer.repair();
            dead.replay(letters, BulkAction.by("ada", "the mail server is up again"));
            while (mailServer.sent() < ORDERS) {
                Thread.sleep(20);
            }
            System.out.println("mails=" + mailServer.sent() + " dead letters of mail=" + dead.count(letters));
        }
    }

    private static int count(JdbcTemplate jdbc, String table) {
        return jdbc.queryForList("SELECT 1 FROM " + table).size();
    }
}

package io.acidq.examples.idempotent;

import io.acidq.devdb.DevDatabase;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Receives one event three times, by webhook and from a topic, and mails one receipt. */
@SpringBootApplication(proxyBeanMethods = false)
public class ReceiptsApplication {

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(ReceiptsApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            Webhook webhook = context.getBean(Webhook.class);
            Paid event = new Paid("evt_1", 4711, 1250);
            System.out.println("webhook: " + webhook.paid(event));
            System.out.println("webhook again: " + webhook.paid(event));
            Topic topic = new Topic();
            topic.publish(event);
            System.out.println("topic: new are "
                    + context.getBean(Payments.class).received(topic.poll()).size());
            MailService mail = context.getBean(MailService.class);
            while (mail.requests() < 2) {
                Thread.sleep(20);
            }
            System.out.println("payments: "
                    + context.getBean(JdbcTemplate.class).queryForObject("SELECT COUNT(*) FROM payments", Long.class)
                    + ", requests to the mail service: " + mail.requests() + ", mails: " + mail.mails());
        }
    }
}

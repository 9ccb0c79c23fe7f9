package io.acidq.examples.databases;

import io.acidq.devdb.DevDatabase;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Places an order in one database and waits for its invoice in another. */
@SpringBootApplication(proxyBeanMethods = false)
public class SeveralDatabasesApplication {

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase shop = DevDatabase.start();
                DevDatabase billing = DevDatabase.start();
                ConfigurableApplicationContext context = start(shop, billing, args)) {
            context.getBean(Shop.class).place(new Order(4711, 1250));
            JdbcTemplate invoices = context.getBean("billingJdbcTemplate", JdbcTemplate.class);
            while (invoices.queryForList("SELECT 1 FROM invoices WHERE mailed > 0")
                    .isEmpty()) {
                Thread.sleep(20);
            }
            System.out.println("in " + shop.jdbcUrl() + ": "
                    + context.getBean(JdbcTemplate.class).queryForList("SELECT * FROM orders"));
            System.out.println("in " + billing.jdbcUrl() + ": " + invoices.queryForList("SELECT * FROM invoices"));
        }
    }

    private static ConfigurableApplicationContext start(DevDatabase shop, DevDatabase billing, String... args) {
        return new SpringApplicationBuilder(SeveralDatabasesApplication.class)
                .properties(
                        "spring.datasource.url=" + shop.jdbcUrl(),
                        "spring.datasource.username=" + shop.username(),
                        "spring.datasource.password=" + shop.password(),
                        "billing.datasource.jdbc-url=" + billing.jdbcUrl(),
                        "billing.datasource.username=" + billing.username(),
                        "billing.datasource.password=" + billing.password())
                .run(args);
    }
}

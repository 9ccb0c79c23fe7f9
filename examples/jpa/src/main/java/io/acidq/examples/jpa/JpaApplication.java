package io.acidq.examples.jpa;

import io.acidq.devdb.DevDatabase;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Buys ten things of one article, whose stock four workers take from at once. */
@SpringBootApplication(proxyBeanMethods = false)
public class JpaApplication {

    private static final int PURCHASES = 10;

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(JpaApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            Shop shop = context.getBean(Shop.class);
            shop.deliver("tea", 100);
            for (int i = 0; i < PURCHASES; i++) {
                shop.buy("tea", 1);
            }
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            while (number(jdbc, "SELECT COUNT(*) FROM reservation") < PURCHASES) {
                Thread.sleep(20);
            }
            System.out.println(
                    "reserved " + PURCHASES + " times, in " + number(jdbc, "SELECT SUM(attempt) FROM reservation")
                            + " attempts; left in stock: " + number(jdbc, "SELECT quantity FROM stock"));
        }
    }

    private static int number(JdbcTemplate jdbc, String query) {
        Integer number = jdbc.queryForObject(query, Integer.class);
        return number == null ? 0 : number;
    }
}

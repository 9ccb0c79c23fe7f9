package io.acidq.examples.boot3;

import io.acidq.devdb.DevDatabase;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Places an order that breaks once, and waits until it is shipped. */
@SpringBootApplication(proxyBeanMethods = false)
public class BootThreeApplication {

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(BootThreeApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            context.getBean(OrderService.class).place(new Order(1, "glass"));
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            while (jdbc.queryForList("SELECT attempt FROM shipments").isEmpty()) {
                Thread.sleep(20);
            }
            System.out.println("Spring Boot " + SpringBootVersion.getVersion() + ": shipped in attempt "
                    + jdbc.queryForObject("SELECT attempt FROM shipments", Integer.class));
        }
    }
}

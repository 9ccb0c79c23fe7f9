package io.acidq.examples.adoption;

import io.acidq.devdb.DevDatabase;
import java.math.BigDecimal;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Places an order and waits until it is shipped. */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(ShopApplication.class)
                        .properties(
                                "spring.datasource.url=" + database.jdbcUrl(),
                                "spring.datasource.username=" + database.username(),
                                "spring.datasource.password=" + database.password())
                        .run(args)) {
            context.getBean(OrderService.class).place(new Order(1, "Ada", new BigDecimal("12.50")));
            ShipmentMapper shipments = context.getBean(ShipmentMapper.class);
            while (shipments.count(1) == 0) {
                Thread.sleep(20);
            }
            System.out.println("placed 1, shipped " + shipments.count(1));
        }
    }
}

package io.acidq.examples.adoption;

import java.math.BigDecimal;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Places an order and waits until it is shipped. */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(ShopApplication.class, args)) {
            context.getBean(OrderService.class).place(new Order(1, "Ada", new BigDecimal("12.50")));
            ShipmentMapper shipments = context.getBean(ShipmentMapper.class);
            while (shipments.count(1) == 0) {
                Thread.sleep(20);
            }
            System.out.println("placed 1, shipped " + shipments.count(1));
        }
    }
}

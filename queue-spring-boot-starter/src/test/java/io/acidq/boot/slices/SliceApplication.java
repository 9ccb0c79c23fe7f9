package io.acidq.boot.slices;

import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.QueueListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An application that publishes and listens in beans of every kind, also in those that its test slices have. */
@SpringBootApplication
@EnableAcidQ
@EnableTransactionManagement
class SliceApplication {

    record Order(long id) {}

    @Bean
    Shipping shipping() {
        return new Shipping();
    }

    static class Shipping {
        @QueueListener(queue = "order.placed")
        void ship(Order order) {}
    }
}

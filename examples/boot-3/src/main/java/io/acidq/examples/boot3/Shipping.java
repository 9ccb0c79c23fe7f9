package io.acidq.examples.boot3;

import io.acidq.Delivery;
import io.acidq.spring.QueueListener;
import jakarta.validation.Valid;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.stereotype.Component;

/** Ships orders: the shipment and the end of the message commit together or not at all. */
@Component
class Shipping {

    private final JdbcTemplate jdbc;

    Shipping(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @QueueListener(queue = OrderService.PLACED, retry = "quickly", concurrency = "2")
    void ship(
            @Valid @Payload Order order,
            @Header(name = "speed", defaultValue = "normal") String speed,
            @Headers Map<String, String> headers,
            Delivery delivery) {
        jdbc.update(
                "INSERT INTO shipments (order_id, speed, headers, attempt) VALUES (?, ?, ?, ?)",
                order.id(),
                speed,
                headers.size(),
                delivery.attempt());
        if (order.article().equals("glass") && delivery.attempt() < 2) {
            throw new IllegalStateException("broken on the way");
        }
        if (order.article().equals("ice")) {
            throw new IllegalStateException("molten");
        }
    }
}

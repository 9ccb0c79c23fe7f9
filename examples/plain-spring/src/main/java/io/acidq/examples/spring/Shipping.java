package io.acidq.examples.spring;

import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;

/** Ships orders: the shipment and the end of the message commit together or not at all. */
class Shipping {

    private final JdbcTemplate jdbc;

    Shipping(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @QueueListener(queue = Orders.PLACED, retry = "shipping")
    void ship(Order order) {
        jdbc.update("INSERT INTO shipments (order_id) VALUES (?)", order.id());
        if (order.article().isBlank()) {
            throw new IllegalArgumentException("order " + order.id() + " has no article");
        }
    }
}

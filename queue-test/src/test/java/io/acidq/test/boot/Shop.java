package io.acidq.test.boot;

import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Publishes and listens. */
@Service
class Shop {

    record Order(long id) {}

    private final JdbcTemplate jdbc;

    Shop(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    @Publish(queue = "order.placed", key = "'order-' + #result.id")
    public Order place(long id) {
        jdbc.update("INSERT INTO orders VALUES (?)", id);
        return new Order(id);
    }

    @Transactional
    @QueueListener(queue = "order.placed")
    public void ship(Order order) {
        jdbc.update("INSERT INTO shipments VALUES (?)", order.id());
        if (order.id() < 0) {
            throw new IllegalArgumentException("no such order");
        }
    }
}

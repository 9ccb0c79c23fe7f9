package io.acidq.examples.spring;

import io.acidq.spring.Publish;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Places orders: the order and its message commit together or not at all. */
class Orders {

    static final String PLACED = "order.placed";

    private final JdbcTemplate jdbc;

    Orders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    @Publish(queue = PLACED, key = "#result.id")
    public Order place(Order order) {
        jdbc.update("INSERT INTO orders (id, article) VALUES (?, ?)", order.id(), order.article());
        return order;
    }
}

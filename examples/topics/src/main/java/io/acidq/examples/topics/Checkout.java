package io.acidq.examples.topics;

import io.acidq.spring.Publish;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Places orders, and knows none of the departments. */
@Component
class Checkout {

    static final String ORDER_PLACED = "order.placed";

    private final JdbcTemplate jdbc;

    Checkout(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // snippet:publish
    /** One row for each subscription, in the transaction of the order. */
    @Transactional
    @Publish(topic = ORDER_PLACED, key = "#result.id", orderingKey = "#result.customer")
    public Order place(Order order) {
        jdbc.update("INSERT INTO orders (id, customer) VALUES (?, ?)", order.id(), order.customer());
        return order;
    }
    // /snippet
}

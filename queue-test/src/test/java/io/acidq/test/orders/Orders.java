package io.acidq.test.orders;

import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// snippet:orders
@Service
public class Orders {

    private final JdbcTemplate jdbc;

    Orders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // key: enqueued once; orderingKey: one at a time for each customer
    @Transactional
    @Publish(queue = "order.placed", key = "#result.id", orderingKey = "#result.customer")
    public Order place(Order order) {
        jdbc.update("INSERT INTO orders (id, customer) VALUES (?, ?)", order.id(), order.customer());
        return order; // the payload of the message, which commits with the row
    }

    @QueueListener(queue = "order.placed", concurrency = "4")
    public void ship(Order order) {
        jdbc.update("INSERT INTO shipments (order_id) VALUES (?)", order.id()); // commits with the end of the message
    }

    public record Order(long id, long customer) {}
}
// /snippet

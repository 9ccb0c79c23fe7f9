package io.acidq.examples.boot3;

import static io.acidq.EnqueueOptions.options;

import io.acidq.MessageQueue;
import io.acidq.spring.Publish;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders: the order and its message commit together or not at all. */
@Service
class OrderService {

    static final String PLACED = "order.placed";

    private final JdbcTemplate jdbc;
    private final MessageQueue queue;

    OrderService(JdbcTemplate jdbc, MessageQueue queue) {
        this.jdbc = jdbc;
        this.queue = queue;
    }

    @Transactional
    @Publish(queue = PLACED, key = "#result.id", orderingKey = "'shop'")
    public Order place(Order order) {
        jdbc.update("INSERT INTO orders (id, article) VALUES (?, ?)", order.id(), order.article());
        return order;
    }

    @Transactional
    public void placeExpress(Order order) {
        queue.enqueue(PLACED, order, options().header("speed", "express"));
    }
}

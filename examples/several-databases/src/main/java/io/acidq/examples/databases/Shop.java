package io.acidq.examples.databases;

import io.acidq.Delivery;
import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Works in the main database, which needs no name. */
@Service
class Shop {

    static final String PLACED = "order.placed";

    private final JdbcTemplate jdbc;
    private final Invoices invoices;

    Shop(JdbcTemplate jdbc, Invoices invoices) {
        this.jdbc = jdbc;
        this.invoices = invoices;
    }

    // snippet:shop
    @Transactional
    @Publish(queue = PLACED, key = "#result.id")
    public Order place(Order order) {
        jdbc.update("INSERT INTO orders (id, cents) VALUES (?, ?)", order.id(), order.cents());
        return order;
    }

    /** Commits in the other database first and here afterwards. If it dies between the two it is called again, with the same id. */
    @QueueListener(queue = PLACED)
    public void forward(Order order, Delivery delivery) {
        invoices.accept(order, delivery.id().toString());
        jdbc.update("UPDATE orders SET billed = billed + 1 WHERE id = ?", order.id());
    }
    // /snippet
}

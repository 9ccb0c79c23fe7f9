package io.acidq.examples.jta;

import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;

/** Ships on the queue's server and bills on the other: both, and the end of the message, or none of the three. */
final class Booking {

    private final JdbcTemplate ships;
    private final JdbcTemplate bills;

    Booking(JdbcTemplate ships, JdbcTemplate bills) {
        this.ships = ships;
        this.bills = bills;
    }

    // snippet:listener
    @QueueListener(queue = "order.placed", concurrency = "8")
    void book(Order order) {
        ships.update("INSERT INTO shipment (order_id) VALUES (?)", order.id());
        bills.update("INSERT INTO invoice (order_id) VALUES (?)", order.id());
    }
    // /snippet
}

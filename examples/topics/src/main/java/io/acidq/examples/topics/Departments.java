package io.acidq.examples.topics;

import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** The departments that act after an order. In a real shop these are several applications. */
@Component
class Departments {

    private final JdbcTemplate jdbc;
    private final MailServer mailServer;

    Departments(JdbcTemplate jdbc, MailServer mailServer) {
        this.jdbc = jdbc;
        this.mailServer = mailServer;
    }

    // snippet:listen
    @QueueListener(topic = Checkout.ORDER_PLACED, subscription = "billing")
    void bill(Order order) {
        jdbc.update("INSERT INTO invoices (order_id, cents) VALUES (?, ?)", order.id(), order.cents());
    }

    @QueueListener(topic = Checkout.ORDER_PLACED, subscription = "stock")
    void reserve(Order order) {
        jdbc.update("INSERT INTO reservations (order_id) VALUES (?)", order.id());
    }

    /** Its retries and dead letters are its own: the others do not notice that the mail server is down. */
    @QueueListener(topic = Checkout.ORDER_PLACED, subscription = "mail", retry = "mail", mode = "external")
    void confirm(Order order) {
        mailServer.send(order.customer(), "your order " + order.id());
    }
    // /snippet
}

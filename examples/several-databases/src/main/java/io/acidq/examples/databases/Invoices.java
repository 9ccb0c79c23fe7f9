package io.acidq.examples.databases;

import io.acidq.MessageQueue;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueListener;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Works in the database of the billing, whose transaction manager it names. */
@Service
class Invoices {

    static final String WRITTEN = "invoice.written";

    private final JdbcTemplate jdbc;
    private final MessageQueue queue;
    private final QueueEngine engine;

    Invoices(
            @Qualifier("billing") JdbcTemplate jdbc,
            @Qualifier("billing") MessageQueue queue,
            @Qualifier("billing") QueueEngine engine) {
        this.jdbc = jdbc;
        this.queue = queue;
        this.engine = engine;
    }

    // snippet:billing
    /** Once for each message of the shop, however often it is called: the billing's own inbox remembers the key. */
    @Transactional(BillingDatabase.TRANSACTIONS)
    public void accept(Order order, String key) {
        engine.engine().inbox().once("billing", key, () -> {
            jdbc.update("INSERT INTO invoices (order_id, cents) VALUES (?, ?)", order.id(), order.cents());
            queue.enqueue(WRITTEN, order); // into the billing's queue
        });
    }

    @QueueListener(queue = WRITTEN, transactionManager = BillingDatabase.TRANSACTIONS)
    public void mail(Order order) {
        jdbc.update("UPDATE invoices SET mailed = mailed + 1 WHERE order_id = ?", order.id());
    }
    // /snippet
}

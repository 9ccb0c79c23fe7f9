package io.acidq.examples.idempotent;

import static io.acidq.EnqueueOptions.options;

import io.acidq.Inbox;
import io.acidq.MessageQueue;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Books each payment once, however often its event arrives and by whichever way. */
@Service
class Payments {

    static final String RECEIPT_DUE = "receipt.due";
    private static final String CONSUMER = "payments";

    private final Inbox inbox;
    private final MessageQueue queue;
    private final JdbcTemplate jdbc;

    Payments(Inbox inbox, MessageQueue queue, JdbcTemplate jdbc) {
        this.inbox = inbox;
        this.queue = queue;
        this.jdbc = jdbc;
    }

    // snippet:once
    /** Returns whether this call has booked it. The key of the inbox, the payment and the message commit together. */
    @Transactional
    public boolean received(Paid event) {
        return inbox.once(CONSUMER, event.eventId(), () -> book(event)).ran();
    }

    /** Books the events of a batch from a topic, each once; returns the new ones. */
    @Transactional
    public List<Paid> received(List<Paid> events) {
        return inbox.onceAll(CONSUMER, events, Paid::eventId, fresh -> fresh.forEach(this::book));
    }

    private void book(Paid event) {
        jdbc.update("INSERT INTO payments (order_id, cents) VALUES (?, ?)", event.order(), event.cents());
        // the message key: one receipt per order, even if it is paid in parts
        queue.enqueue(RECEIPT_DUE, new Receipt(event.order()), options().key("order-" + event.order()));
    }
    // /snippet
}

package io.acidq.spring.comingfrom;

import static io.acidq.EnqueueOptions.options;

import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.spring.QueueListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Replaces a job of JobRunr. */
@Component
class Checkout {

    private final OrderRepository orders;
    private final MessageQueue queue;
    private final MailProvider mail;

    Checkout(OrderRepository orders, MessageQueue queue, MailProvider mail) {
        this.orders = orders;
        this.queue = queue;
        this.mail = mail;
    }

    // snippet:jobRunr
    @Transactional
    public void pay(long order) {
        orders.markPaid(order);
        queue.enqueue("receipt.due", new Receipt(order), options().key("order-" + order));
    }

    @QueueListener(queue = "receipt.due", mode = "external", retry = "mail", timeout = "30s")
    void send(Receipt receipt, Delivery delivery) {
        mail.sendReceipt(receipt.order(), delivery.id().toString()); // the same key at every attempt
    }
    // /snippet
}

package io.acidq.examples.tutorial;

import static io.acidq.EnqueueOptions.options;

import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.OnDuplicate;
import io.acidq.spring.Publish;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells: a purchase and its message commit together or not at all. */
@Service
class Shop {

    static final String MADE = "purchase.made";
    static final String REMIND = "points.remind";

    private final PurchaseMapper purchases;
    private final MessageQueue queue;
    private final Duration remindAfter;

    Shop(PurchaseMapper purchases, MessageQueue queue, @Value("${shop.remind-after}") Duration remindAfter) {
        this.purchases = purchases;
        this.queue = queue;
        this.remindAfter = remindAfter;
    }

    // snippet:publish
    @Transactional
    @Publish(queue = MADE, key = "#result.number", orderingKey = "#result.customer")
    public Purchase buy(Purchase purchase) {
        purchases.insert(purchase);
        return purchase; // the return value is the payload
    }
    // /snippet

    // snippet:later
    /** Reminds a customer who has bought nothing for a month: each purchase pushes the reminder out. */
    @Transactional
    public Enqueued remindLater(int customer) {
        return queue.enqueue(
                REMIND,
                new Reminder(customer),
                options()
                        .key("customer-" + customer)
                        .delay(remindAfter) // or .at(instant)
                        .onDuplicate(OnDuplicate.debounce()));
    }
    // /snippet
}

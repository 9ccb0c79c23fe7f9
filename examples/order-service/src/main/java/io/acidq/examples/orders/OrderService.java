package io.acidq.examples.orders;

import static io.acidq.EnqueueOptions.options;

import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.spring.Publish;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders: the order and its message commit together or not at all. */
@Service
class OrderService {

    static final String PLACED = "order.placed";

    private final OrderMapper orders;
    private final MessageQueue queue;

    OrderService(OrderMapper orders, MessageQueue queue) {
        this.orders = orders;
        this.queue = queue;
    }

    // snippet:publish
    @Transactional
    @Publish(queue = PLACED, key = "#result.id", orderingKey = "#result.customerId")
    public Order place(NewOrder order) {
        return orders.insert(order); // the return value is the payload
    }
    // /snippet

    // snippet:enqueue
    /** Enqueues an order a second time, as a client does that never saw the first response. The message key makes it a duplicate. */
    @Transactional
    public Enqueued placeAgain(Order order) {
        return queue.enqueue(PLACED, order, options().key("" + order.id()).orderingKey("" + order.customerId()));
    }
    // /snippet
}

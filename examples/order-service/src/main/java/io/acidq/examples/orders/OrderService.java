package io.acidq.examples.orders;

import static io.acidq.EnqueueOptions.options;

import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.spring.Publish;
import java.math.BigDecimal;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders: the order and its message commit together or not at all. */
@Service
class OrderService {

    static final String PLACED = "order.placed";

    private final OrderMapper mapper;
    private final MessageQueue queue;

    OrderService(OrderMapper mapper, MessageQueue queue) {
        this.mapper = mapper;
        this.queue = queue;
    }

    @Transactional
    @Publish(queue = PLACED, key = "#result.id", orderingKey = "#result.customerId")
    public Order place(int customerId, BigDecimal amount) {
        return mapper.insert(customerId, amount); // the return value is the payload
    }

    /** Enqueues an order a second time, as a client does that never saw the first response. The message key makes it a duplicate. */
    @Transactional
    public Enqueued placeAgain(Order order) {
        return queue.enqueue(PLACED, order, options().key("" + order.id()).orderingKey("" + order.customerId()));
    }
}

package io.acidq.examples.adoption;

import io.acidq.spring.Publish;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
class OrderService {

    private final OrderMapper orders;

    OrderService(OrderMapper orders) {
        this.orders = orders;
    }

    @Transactional
    @Publish(queue = "order.placed", key = "#result.id")
    public Order place(Order order) {
        orders.insert(order);
        return order;
    }
}

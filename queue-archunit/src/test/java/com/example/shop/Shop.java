package com.example.shop;

import com.example.Order;
import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import org.springframework.transaction.annotation.Transactional;

/** An application that follows every rule. */
class Shop {

    @Transactional
    @Publish(queue = "order.placed")
    public Order place(Order order) {
        return order;
    }

    @QueueListener(queue = "order.placed")
    public void ship(Order order) {}
}

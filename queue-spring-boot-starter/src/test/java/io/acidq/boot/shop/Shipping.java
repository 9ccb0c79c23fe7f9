package io.acidq.boot.shop;

import io.acidq.Delivery;
import io.acidq.spring.QueueListener;
import org.springframework.stereotype.Component;

@Component
public class Shipping {

    private final ShopMapper mapper;

    Shipping(ShopMapper mapper) {
        this.mapper = mapper;
    }

    /** Fails twice, after the insert. */
    @QueueListener(queue = "order.placed", retry = "shipping")
    void ship(Order order, Delivery delivery) {
        mapper.insertShipment(order, delivery.attempt());
        if (delivery.attempt() < 3) {
            throw new IllegalStateException("the printer is out of paper");
        }
    }
}

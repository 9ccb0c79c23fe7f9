package io.acidq.spring.comingfrom;

import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueListener;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// snippet:modulith
@PublishedTo(queue = "order.placed", key = "order")
record OrderPlaced(long order) {}

@Service
class OrderManagement {

    private final OrderRepository orders;
    private final ApplicationEventPublisher events;

    OrderManagement(OrderRepository orders, ApplicationEventPublisher events) {
        this.orders = orders;
        this.events = events;
    }

    @Transactional
    public void place(NewOrder request) {
        Order order = orders.insert(request);
        events.publishEvent(new OrderPlaced(order.id()));
    }
}

@Component
class Inventory {

    private final ShipmentRepository shipments;

    Inventory(ShipmentRepository shipments) {
        this.shipments = shipments;
    }

    @QueueListener(queue = "order.placed")
    void on(OrderPlaced event) {
        shipments.insert(event.order());
    }
}
// /snippet

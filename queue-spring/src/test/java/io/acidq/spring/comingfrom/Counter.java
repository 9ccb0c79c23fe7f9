package io.acidq.spring.comingfrom;

import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Replaces a call that transaction-outbox defers. */
@Component
class Counter {

    private final OrderRepository orders;
    private final ShipmentRepository shipments;
    private final QueueTemplate<ShipOrder> shipping;

    Counter(
            OrderRepository orders,
            ShipmentRepository shipments,
            @QueueName("order.ship") QueueTemplate<ShipOrder> shipping) {
        this.orders = orders;
        this.shipments = shipments;
        this.shipping = shipping;
    }

    // snippet:transactionOutbox
    @Transactional
    public void place(NewOrder request) {
        Order order = orders.insert(request);
        shipping.enqueue(new ShipOrder(order.id())); // a QueueTemplate<ShipOrder> for the queue order.ship
    }

    @QueueListener(queue = "order.ship")
    void ship(ShipOrder message) {
        shipments.insert(message.order());
    }
    // /snippet
}

package io.acidq.examples.orders;

import io.acidq.Delivery;
import io.acidq.spring.QueueListener;
import org.springframework.stereotype.Component;

/** Ships orders: the shipment commits in one transaction with the end of the message, so each order is shipped once. */
@Component
class Shipping {

    private final ShipmentMapper shipments;
    private final SimulatedFailures simulatedFailures;

    Shipping(ShipmentMapper shipments, SimulatedFailures simulatedFailures) {
        this.shipments = shipments;
        this.simulatedFailures = simulatedFailures;
    }

    // snippet:listen
    @QueueListener(
            queue = OrderService.PLACED,
            concurrency = "${shipping.workers}",
            retry = "shipping",
            autoStartup = "${shipping.here}")
    void ship(Order order, Delivery delivery) throws InterruptedException {
        shipments.insert(order.id(), delivery.node(), delivery.claimNo());
        simulatedFailures.apply(order); // after the insert: a shipment must not survive them
    }
    // /snippet
}

package io.acidq.examples.orders;

import io.acidq.Delivery;
import io.acidq.spring.QueueListener;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/** Ships orders: the shipment commits in one transaction with the end of the message, so each order is shipped once. */
@Component
class Shipping {

    private static final int KILLED = 137;

    private final OrderMapper mapper;
    private final Arguments arguments;

    Shipping(OrderMapper mapper, Arguments arguments) {
        this.mapper = mapper;
        this.arguments = arguments;
    }

    @QueueListener(
            queue = OrderService.PLACED,
            concurrency = "${shipping.workers}",
            retry = "shipping",
            autoStartup = "${shipping.here}")
    void ship(Order order, Delivery delivery) throws InterruptedException {
        mapper.insertShipment(order.id(), delivery.node(), delivery.attempt());
        failOnPurpose(order); // after the insert: a failure must undo it
    }

    private void failOnPurpose(Order order) throws InterruptedException {
        if (arguments.handlerMs() > 0) {
            Thread.sleep(arguments.handlerMs());
        }
        if (arguments.poison() > 0 && order.id() % arguments.poison() == 0) {
            Runtime.getRuntime().halt(KILLED);
        }
        if (ThreadLocalRandom.current().nextDouble() < arguments.failRate()) {
            throw new IllegalStateException("the parcel of order " + order.id() + " fell off the truck");
        }
    }
}

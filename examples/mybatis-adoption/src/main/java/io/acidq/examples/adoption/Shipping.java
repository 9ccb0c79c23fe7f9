package io.acidq.examples.adoption;

import io.acidq.spring.QueueListener;
import org.apache.ibatis.session.SqlSession;
import org.springframework.stereotype.Component;

/** Ships an order and writes its invoice. */
@Component
class Shipping {

    private final ShipmentMapper shipments;
    private final SqlSession session;

    Shipping(ShipmentMapper shipments, SqlSession session) {
        this.shipments = shipments;
        this.session = session;
    }

    @QueueListener(queue = "order.placed")
    public void ship(Order order) {
        shipments.insert(order.id());
        session.insert("invoices.write", order);
    }
}

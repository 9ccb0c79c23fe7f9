package io.acidq.spring.comingfrom;

// snippet:kafka
import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class OrderService {

    private final OrderRepository orders;

    OrderService(OrderRepository orders) {
        this.orders = orders;
    }

    @Transactional
    @Publish(queue = "order.placed", orderingKey = "#result.customer")
    public Order place(NewOrder request) {
        return orders.insert(request); // the return value is the payload
    }
}

@Component
class Shipping {

    private final ShipmentRepository shipments;

    Shipping(ShipmentRepository shipments) {
        this.shipments = shipments;
    }

    @QueueListener(queue = "order.placed", concurrency = "4", retry = "shipping")
    void ship(Order order) {
        shipments.insert(order.id());
    }
}
// /snippet

package com.example.payload;

import com.example.Open;
import com.example.Order;
import io.acidq.Delivery;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;

/** Each case has a payload type that cannot be extended. */
abstract class Allowed {

    static class Takes {
        @QueueListener(queue = "order.placed")
        void placed(Order order, Delivery delivery, @Header("a") Open header, @Headers Map<String, String> headers) {}
    }

    static class TakesTheMarkedOne {
        @QueueListener(queue = "order.placed")
        void placed(Open other, @Payload Order order) {}
    }

    static class TakesSeveral {
        @QueueListener(queue = "order.placed")
        void placed(List<Message<Order>> orders) {}
    }

    static class TakesWhatItsSubclassSays {
        interface OrderListener<T> {
            @QueueListener(queue = "order.placed")
            default void placed(T order) {}
        }

        static class OfOrders implements OrderListener<Order> {}
    }

    static class OverridesAGenericOne {
        interface OrderListener<T> {
            @QueueListener(queue = "order.placed")
            void placed(T order);
        }

        static class OfOrders implements OrderListener<Order> {
            @Override
            @QueueListener(queue = "order.placed")
            public void placed(Order order) {}
        }
    }

    static class Returns {
        @Publish(queue = "order.placed")
        Optional<Order> place() {
            return Optional.empty();
        }

        @Publish(queue = "order.placed", payload = "#result.id")
        Open other() {
            return new Open();
        }

        @Publish(queue = "order.placed", payload = "#p0")
        void nothing(Order order) {}
    }

    static class TakesASealedType {
        sealed interface Event permits Placed, Paid, Late {}

        record Placed() implements Event {}

        static final class Paid implements Event {}

        enum Late implements Event {
            DAY
        }

        @QueueListener(queue = "order.placed")
        void placed(Event event) {}
    }

    static class HasATemplate {
        QueueTemplate<Order> orders;
    }

    @PublishedTo(queue = "order.placed", payload = "#root.id")
    static class IsAnEvent {}

    static class TakesBatches {
        @QueueListener(queue = "order.placed", batch = "true")
        void both(List<Order> orders, List<Delivery> deliveries) {}

        @QueueListener(queue = "order.paid", batch = "true")
        void deliveries(List<Delivery> deliveries) {}

        @QueueListener(queue = "mail", batch = "true")
        void messages(List<Delivery> deliveries, List<Message<Order>> messages) {}
    }

    @Publish(queue = "order.placed")
    static class AtTheType {
        public Order place() {
            return new Order(1);
        }

        public void nothing(Open order) {}

        Open notPublic() {
            return new Open();
        }
    }

    static class ReturnsAVariable {
        @Publish(queue = "order.placed")
        <T extends Order> T place(T order) {
            return order;
        }
    }
}

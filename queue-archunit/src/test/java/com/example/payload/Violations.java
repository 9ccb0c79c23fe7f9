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
import org.springframework.messaging.handler.annotation.Payload;

/** Each case has a payload type that can be extended. */
abstract class Violations {

    static class Takes {
        @QueueListener(queue = "order.placed")
        void placed(Delivery delivery, Open order) {}
    }

    static class TakesAMap {
        @QueueListener(queue = "order.placed")
        void placed(Map<String, Object> order) {}
    }

    static class TakesTheMarkedOne {
        @QueueListener(queue = "order.placed")
        void placed(Order other, @Payload Open order) {}
    }

    static class TakesSeveral {
        @QueueListener(queue = "order.placed")
        void placed(List<? extends Open> orders) {}
    }

    static class TakesWhatItsSubclassSays {
        abstract static class Base<T> {
            @QueueListener(queue = "order.placed")
            void placed(T order) {}
        }

        static class OrderListener extends Base<Open> {}
    }

    static class Returns {
        @Publish(queue = "order.placed")
        Optional<Open> place() {
            return Optional.empty();
        }
    }

    static class ReturnsAnArray {
        @Publish(queue = "order.placed")
        Open[] place() {
            return new Open[0];
        }
    }

    static class ReturnsByItsInterface {
        interface Placing<T> {
            @Publish(queue = "order.placed")
            T place();
        }

        static class Service implements Placing<Open> {
            @Override
            public Open place() {
                return new Open();
            }
        }
    }

    static class TakesASealedTypeThatIsOpenBelow {
        sealed interface Event permits Placed {}

        static non-sealed class Placed implements Event {}

        @QueueListener(queue = "order.placed")
        void placed(Event event) {}
    }

    static class HasATemplate {
        QueueTemplate<Open> orders;
    }

    @PublishedTo(queue = "order.placed")
    static class IsAnEvent {}

    static class TakesBatches {
        @QueueListener(queue = "order.placed", batch = "true")
        void both(List<Delivery> deliveries, List<Open> orders) {}
    }

    @Publish(queue = "order.placed")
    static class ReturnsAtItsType {
        public Open place() {
            return new Open();
        }
    }

    static class ReturnsAVariable {
        @Publish(queue = "order.placed")
        <T extends Open> T place(T order) {
            return order;
        }
    }
}

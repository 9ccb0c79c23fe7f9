package com.example.names;

import com.example.Messages;
import com.example.Order;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Each case names a queue that is not configured. */
abstract class Violations {

    private static final String MISTYPED = "order." + "plcaed";

    static class Listens {
        @QueueListener(queue = MISTYPED)
        void placed(Order order) {}
    }

    static class Publishes {
        @Publish(queue = "order")
        Order place() {
            return new Order(1);
        }
    }

    static class PublishesSecond {
        @Messages({@Publish(queue = "order.placed"), @Publish(queue = "mial")})
        Order place() {
            return new Order(1);
        }
    }

    @PublishedTo(queue = "plain.dotted")
    static class IsAnEvent {}

    static class ListensToASubscription {
        @QueueListener(topic = "customer.moved", subscription = "biling")
        void moved(Order order) {}
    }

    static class PublishesToATopic {
        @Publish(topic = "customer.mvoed")
        Order move() {
            return new Order(1);
        }
    }

    @PublishedTo(topic = "customer")
    static class IsAnEventOfATopic {}

    static class ListensByItsInterface {
        interface OrderListener {
            @QueueListener(queue = MISTYPED)
            void placed(Order order);
        }

        static class Service implements OrderListener {
            @Override
            public void placed(Order order) {}
        }
    }

    @Publish(queue = "mial")
    static class PublishesAtItsType {
        public Order place() {
            return new Order(1);
        }
    }

    @Publish(queue = "mial")
    interface IsAMapper {
        Order place();
    }

    interface HasAMapperMethod {
        @Publish(queue = "mial")
        Order place();
    }

    static class TakesATemplate {
        TakesATemplate(@QueueName("mial") QueueTemplate<Order> orders) {}
    }

    static class HasATemplate {
        @QueueName("mial")
        QueueTemplate<Order> orders;
    }

    static class MakesABean {
        String bean(@ByMistake QueueTemplate<Order> orders) {
            return "";
        }

        @Retention(RetentionPolicy.RUNTIME)
        @QueueName("mial")
        @interface ByMistake {}
    }
}

package com.example.names;

import com.example.Order;
import com.example.ShopListener;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;

/** Each case names a queue that is configured, or that only the running application can resolve. */
abstract class Allowed {

    static class Listens {
        @ShopListener
        void placed(Order order) {}
    }

    static class Publishes {
        @Publish(queue = "mail")
        Order place() {
            return new Order(1);
        }
    }

    static class Asks {
        @QueueListener(queue = "${of.the.environment}")
        void placed(Order order) {}

        @QueueListener(queue = "#{@names.orders}")
        void paid(Order order) {}
    }

    static class Resolves {
        @QueueListener(queue = "${shop.mail}")
        void mail(Order order) {}

        @QueueListener(queue = "${shop.unknown:mail}")
        void defaults(Order order) {}
    }

    static class UsesATopic {
        @QueueListener(topic = "customer.moved", subscription = "billing")
        void moved(Order order) {}

        @QueueListener(topic = "${of.the.environment}", subscription = "billing")
        void left(Order order) {}

        @Publish(topic = "customer.moved")
        Order move() {
            return new Order(1);
        }
    }

    @PublishedTo(topic = "customer.moved")
    static class IsAnEvent {}

    @Publish(queue = "mail")
    static class AtTheType {
        @QueueName("order.placed")
        QueueTemplate<Order> orders;

        AtTheType(@QueueName("${of.the.environment}") QueueTemplate<Order> orders) {}
    }
}

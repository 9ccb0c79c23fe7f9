package com.example.remote;

import com.example.Order;
import com.example.ShopListener;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.spring.QueueListener;
import java.net.http.HttpClient;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Each case waits outside the transaction of a listener. */
abstract class Allowed {

    static class External {
        @QueueListener(queue = "order.placed", mode = "external")
        void placed(Order order) throws InterruptedException {
            Thread.sleep(10);
        }
    }

    static class ExternalByAlias {
        @ShopListener(how = "external")
        void placed(Order order) throws InterruptedException {
            Thread.sleep(10);
        }
    }

    static class OnAnotherThread {
        static class Asking {
            HttpClient client;

            @Async
            public void ask() throws Exception {
                client.send(null, null);
            }
        }

        Asking asking;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws Exception {
            asking.ask();
        }
    }

    static class AfterTheCommit {
        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    try {
                        Thread.sleep(10);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
        }
    }

    static class InAnotherMethod {
        HttpClient client = HttpClient.newHttpClient();

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            client.version();
        }

        void ask() throws Exception {
            client.send(null, null);
        }
    }

    static class OwnClient {
        static class Rates {
            void ask() {}
        }

        Rates rates;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            rates.ask();
        }
    }

    static class LoopsOverAList {
        static class Pages implements Iterator<String>, Runnable, Supplier<String> {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public String next() {
                return get();
            }

            @Override
            public void run() {
                get();
            }

            @Override
            public String get() {
                LockSupport.park();
                return "";
            }

            @Override
            public String toString() {
                return get();
            }
        }

        Supplier<String> clock = () -> "now";

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            Object any = order;
            Runnable nothing = () -> {};
            nothing.run();
            for (String each : List.of(any.toString(), clock.get())) {
                each.length();
            }
        }
    }

    static class TellsAnAsyncListener {
        record Placed(Order order) {}

        ApplicationEventPublisher events;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            events.publishEvent(new Placed(order));
        }

        @Async
        @EventListener
        public void placed(Placed event) {
            LockSupport.park();
        }

        @TransactionalEventListener
        public void afterwards(Placed event) {
            LockSupport.park();
        }
    }

    static class HandlesExternally {
        static class Asking implements Handler<Order> {
            @Override
            public Outcome handle(Order order, Delivery delivery) {
                LockSupport.park();
                return Outcome.done();
            }
        }

        static class Configuration {
            Listener<Order> byAClass() {
                return Listener.on("order.placed", Order.class, new Asking()).external();
            }

            Listener<Order> byALambda() {
                return Listener.on("order.placed", Order.class, (order, delivery) -> {
                            LockSupport.park();
                            return Outcome.done();
                        })
                        .external();
            }
        }
    }

    static class ConfiguresByAClient {
        Listener<Order> listener(HttpClient client) throws Exception {
            client.send(null, null);
            return Listener.on("order.placed", Order.class, (order, delivery) -> Outcome.done());
        }
    }

    static class WaitsByName {
        static class Speed {
            void wait(String reason) {}
        }

        Speed speed;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            speed.wait("for nothing");
        }
    }
}

package com.example.remote;

import com.example.Order;
import com.example.ShopListener;
import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.spring.QueueListener;
import io.grpc.stub.AbstractStub;
import java.io.IOException;
import java.net.Socket;
import java.net.URL;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.service.annotation.GetExchange;

/** Each case waits in the transaction of a listener. */
abstract class Violations {

    static class Sleeps {
        @QueueListener(queue = "order.placed")
        void placed(Order order) throws InterruptedException {
            Thread.sleep(10);
        }
    }

    static class SleepsInALambda {
        @QueueListener(queue = "order.placed")
        void placed(List<Order> orders) {
            orders.forEach(order -> {
                try {
                    TimeUnit.SECONDS.sleep(order.id());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    static class AsksInAHelper {
        HttpClient client;

        @QueueListener(queue = "order.placed", mode = "${mode}")
        void placed(Order order) throws Exception {
            ask();
        }

        private void ask() throws Exception {
            client.send(null, null);
        }
    }

    static class AsksBehindAnInterface {
        interface Rates {
            void ask() throws IOException;
        }

        static class HttpRates implements Rates {
            @Override
            public void ask() throws IOException {
                new URL("http://localhost").openStream().close();
            }
        }

        Rates rates;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws IOException {
            rates.ask();
        }
    }

    static class AsksBehindAGenericInterface {
        interface Asking<T> {
            void ask(T about);
        }

        static class KafkaAsking implements Asking<Order> {
            KafkaTemplate<String, Order> kafka;

            @Override
            public void ask(Order about) {
                kafka.send("orders", about);
            }
        }

        Asking<Order> asking;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            asking.ask(order);
        }
    }

    static class AsksByAMethodReference {
        KafkaTemplate<String, Order> kafka;

        @ShopListener
        void placed(List<Order> orders) {
            orders.forEach(this::ask);
        }

        private void ask(Order order) {
            kafka.send("orders", order);
        }
    }

    static class AsksInASubclass {
        abstract static class Base {
            @QueueListener(queue = "order.placed")
            void placed(Order order) throws IOException {
                ask();
            }

            abstract void ask() throws IOException;
        }

        static class Http extends Base {
            @Override
            void ask() throws IOException {
                new Socket("localhost", 1).close();
            }
        }
    }

    static class AsksInAnInheritedMethod {
        static class Base {
            protected void ask() throws IOException {
                new Socket("localhost", 1).close();
            }
        }

        static class OrderListener extends Base {
            @QueueListener(queue = "order.placed")
            void placed(Order order) throws IOException {
                ask();
            }
        }
    }

    static class AsksInAConstructor {
        static class Connected {
            Connected() throws IOException {
                new Socket("localhost", 1).close();
            }
        }

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws IOException {
            new Connected();
        }
    }

    static class AsksAFeignClient {
        @FeignClient
        interface Rates {
            void ask();
        }

        Rates rates;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            rates.ask();
        }
    }

    static class AsksAStub {
        static class RatesStub extends AbstractStub {
            void ask() {}
        }

        RatesStub rates;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            rates.ask();
        }
    }

    static class ListensByItsInterface {
        interface OrderListener<T> {
            @QueueListener(queue = "order.placed")
            void placed(T order) throws InterruptedException;
        }

        static class Sleeping implements OrderListener<Order> {
            @Override
            public void placed(Order order) throws InterruptedException {
                Thread.sleep(10);
            }
        }
    }

    static class AsksBehindAnInterfaceThatIsAlsoOfTheJdk {
        interface Rates extends Supplier<String> {}

        static class SlowRates implements Rates {
            @Override
            public String get() {
                LockSupport.park();
                return "";
            }
        }

        Rates rates;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            rates.get();
        }
    }

    static class AsksAnInheritedExchange {
        interface Asking {
            @GetExchange
            void ask();
        }

        interface Rates extends Asking {}

        Rates rates;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            rates.ask();
        }
    }

    static class TellsAnEventListener {
        interface Event {}

        record Placed(Order order) implements Event {}

        ApplicationEventPublisher events;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            events.publishEvent(new Placed(order));
        }

        static class Asking {
            @EventListener
            public void placed(Event event) {
                LockSupport.park();
            }
        }
    }

    static class TellsAnApplicationListener {
        static class Placed extends ApplicationEvent {
            Placed(Order order) {
                super(order);
            }
        }

        ApplicationEventPublisher events;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            events.publishEvent(new Placed(order));
        }

        static class Asking implements ApplicationListener<Placed> {
            @Override
            public void onApplicationEvent(Placed event) {
                LockSupport.park();
            }
        }
    }

    static class WaitsForALatch {
        @QueueListener(queue = "order.placed")
        void placed(Order order) throws InterruptedException {
            new CountDownLatch(1).await(5, TimeUnit.SECONDS);
        }
    }

    static class WaitsForANotification {
        @QueueListener(queue = "order.placed")
        synchronized void placed(Order order) throws InterruptedException {
            while (order.id() == 0) {
                wait(1000);
            }
        }
    }

    static class WaitsForAFuture {
        CompletableFuture<String> future;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws Exception {
            future.get();
        }
    }

    static class IsAHandler implements Handler<Order> {
        @Override
        public Outcome handle(Order order, Delivery delivery) {
            LockSupport.park();
            return Outcome.done();
        }
    }

    static class IsABatchHandler implements BatchHandler<Order> {
        @Override
        public List<Outcome> handleAll(List<Item<Order>> items) {
            LockSupport.park();
            return List.of();
        }
    }

    static class HandlesInALambda {
        Listener<Order> listener() {
            return Listener.on("order.placed", Order.class, (order, delivery) -> {
                LockSupport.park();
                return Outcome.done();
            });
        }
    }
}

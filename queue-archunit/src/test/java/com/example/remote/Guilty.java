package com.example.remote;

import com.example.Order;
import com.example.ShopListener;
import io.acidq.spring.QueueListener;
import io.grpc.stub.AbstractStub;
import java.io.IOException;
import java.net.Socket;
import java.net.URL;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.kafka.core.KafkaTemplate;

/** Each waits for something else in the transaction of a listener. */
abstract class Guilty {

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

        static class Listening extends Base {
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
        interface Listening<T> {
            @QueueListener(queue = "order.placed")
            void placed(T order) throws InterruptedException;
        }

        static class Sleeping implements Listening<Order> {
            @Override
            public void placed(Order order) throws InterruptedException {
                Thread.sleep(10);
            }
        }
    }
}

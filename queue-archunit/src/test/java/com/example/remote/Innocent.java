package com.example.remote;

import com.example.Order;
import com.example.ShopListener;
import io.acidq.spring.QueueListener;
import java.net.http.HttpClient;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Each waits elsewhere than in the transaction of a listener. */
abstract class Innocent {

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
}

package com.example.own;

import com.example.Order;
import io.acidq.spring.QueueListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Each case uses the transaction of its listener, or has none. */
abstract class Allowed {

    static class Joins {
        @QueueListener(queue = "order.placed")
        @Transactional
        public void placed(Order order) {
            nested();
        }

        @Transactional(propagation = Propagation.NESTED)
        public void nested() {}
    }

    static class ToASavepoint {
        Connection connection;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws SQLException {
            Savepoint before = connection.setSavepoint();
            connection.rollback(before);
        }
    }

    static class External {
        TransactionTemplate transaction;

        @QueueListener(queue = "order.placed", mode = "external")
        void placed(Order order) {
            transaction.executeWithoutResult(status -> {});
        }
    }

    static class Elsewhere {
        TransactionTemplate transaction;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {}

        void place() {
            transaction.executeWithoutResult(status -> {});
        }
    }

    static class RunsARunnable {
        static class Job implements Runnable {
            TransactionTemplate transaction;

            @Override
            public void run() {
                transaction.executeWithoutResult(status -> {});
            }
        }

        interface Mapper {
            @Transactional
            void insert(Order order);
        }

        Mapper mapper;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            Runnable insert = () -> mapper.insert(order);
            insert.run();
        }
    }
}

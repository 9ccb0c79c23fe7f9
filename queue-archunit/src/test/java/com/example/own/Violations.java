package com.example.own;

import com.example.Order;
import com.example.ShopListener;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.spring.QueueListener;
import java.sql.Connection;
import java.sql.SQLException;
import org.apache.ibatis.session.SqlSession;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Each case begins or ends a transaction in the transaction of a listener. */
abstract class Violations {

    static class ByATemplate {
        TransactionTemplate transaction;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            work();
        }

        private void work() {
            transaction.executeWithoutResult(status -> {});
        }
    }

    static class ByTheManager {
        PlatformTransactionManager manager;

        @ShopListener
        void placed(Order order) {
            manager.getTransaction(null);
        }
    }

    static class ByItsOwnAnnotation {
        @QueueListener(queue = "order.placed")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void placed(Order order) {}
    }

    static class ByACallee {
        interface Work {
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            void work();
        }

        static class Worker implements Work {
            @Override
            public void work() {}
        }

        Work work;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            work.work();
        }
    }

    static class ByAClass {
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        static class Worker {
            public void work() {}
        }

        Worker worker;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            worker.work();
        }
    }

    static class ByCommit {
        Connection connection;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws SQLException {
            connection.commit();
        }
    }

    static class ByRollback {
        Connection connection;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws SQLException {
            connection.rollback();
        }
    }

    static class ByAutoCommit {
        Connection connection;

        @QueueListener(queue = "order.placed")
        void placed(Order order) throws SQLException {
            connection.setAutoCommit(false);
        }
    }

    static class BySuspending {
        static class Worker {
            @Transactional(propagation = Propagation.NOT_SUPPORTED)
            public void work() {}
        }

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            new Worker().work();
        }
    }

    static class ByAMapper {
        interface Mapper {
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            void insert(Order order);
        }

        Mapper mapper;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            mapper.insert(order);
        }
    }

    static class ByASession {
        SqlSession session;

        @QueueListener(queue = "order.placed")
        void placed(Order order) {
            session.commit();
        }
    }

    static class IsAHandler implements Handler<Order> {
        TransactionTemplate transaction;

        @Override
        public Outcome handle(Order order, Delivery delivery) {
            transaction.executeWithoutResult(status -> {});
            return Outcome.done();
        }
    }
}

package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetters;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@ParameterizedClass
@EnumSource(ServerKind.class)
class ListenerAttributesIT {

    record Order(long id) {}

    static class OutOfStockException extends Exception {}

    static class Stock {

        private final JdbcTemplate jdbc;

        Stock(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Spring marks the transaction of the listener, which this method joins, as rollback-only. */
        @Transactional(rollbackFor = Exception.class)
        public void take(Order order) throws OutOfStockException {
            jdbc.update("INSERT INTO effect VALUES (?, 'partial')", order.id());
            throw new OutOfStockException();
        }
    }

    static class Shipping {

        final List<Integer> sizes = new CopyOnWriteArrayList<>();
        final List<Exception> errors = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;
        private final Stock stock;

        Shipping(JdbcTemplate jdbc, Stock stock) {
            this.jdbc = jdbc;
            this.stock = stock;
        }

        @QueueListener(queue = "marked", errorHandler = "toTable", retry = "once")
        void marked(Order order) throws OutOfStockException {
            insert(order, "partial");
            stock.take(order);
        }

        @QueueListener(
                queue = "marked-shared",
                concurrency = "1",
                transactionSize = "10",
                errorHandler = "toTable",
                retry = "once")
        void markedInASharedTransaction(Order order) throws OutOfStockException {
            if (order.id() % 2 == 0) {
                marked(order);
            }
            insert(order, "shipped");
        }

        @QueueListener(
                queue = "marked-batch",
                batch = "true",
                concurrency = "1",
                transactionSize = "10",
                errorHandler = "toTable",
                retry = "once")
        void markedBatch(List<Order> orders) throws OutOfStockException {
            for (Order order : orders) {
                markedInASharedTransaction(order);
            }
        }

        @QueueListener(queue = "marked-refused", errorHandler = "rethrows", retry = "quick")
        void markedAndRefused(Order order) throws OutOfStockException {
            marked(order);
        }

        @QueueListener(queue = "caught", retry = "once")
        void caught(Order order) {
            insert(order, "partial");
            assertThatThrownBy(() -> stock.take(order)).isInstanceOf(OutOfStockException.class);
        }

        // snippet:batch
        @QueueListener(queue = "batch", batch = "true", concurrency = "1", transactionSize = "10", retry = "quick")
        void batch(List<Order> orders, List<Delivery> deliveries) {
            sizes.add(orders.size());
            assertThat(deliveries).hasSameSizeAs(orders);
            orders.forEach(order -> insert(order, "batch"));
            if (orders.contains(new Order(3))) {
                throw new IllegalStateException("never"); // after the inserts of all messages
            }
        }
        // /snippet

        @QueueListener(queue = "written", errorHandler = "toTable", retry = "quick")
        void written(Order order) throws OutOfStockException {
            insert(order, "partial");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    insert(order, "callback");
                }
            });
            throw new OutOfStockException();
        }

        @QueueListener(
                queue = "written-batch",
                batch = "true",
                concurrency = "1",
                transactionSize = "10",
                errorHandler = "toTable")
        void writtenBatch(List<Order> orders) {
            orders.forEach(order -> insert(order, "partial"));
            throw new IllegalStateException("all of them");
        }

        @QueueListener(queue = "rethrown", errorHandler = "rethrows", retry = "quick")
        void rethrown(Order order) throws OutOfStockException {
            throw new OutOfStockException();
        }

        /** Throws another exception after the interrupt. */
        @QueueListener(queue = "late", timeout = "100ms", errorHandler = "toTable", retry = "once")
        void late(Order order) {
            try {
                new CountDownLatch(1).await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("of its own");
            }
        }

        private void insert(Order order, String note) {
            jdbc.update("INSERT INTO effect VALUES (?, ?)", order.id(), note);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {

        @Bean
        Stock stock(JdbcTemplate jdbc) {
            return new Stock(jdbc);
        }

        @Bean
        Shipping shipping(JdbcTemplate jdbc, Stock stock) {
            return new Shipping(jdbc, stock);
        }

        // snippet:error-handler
        @Bean
        QueueErrorHandler toTable(JdbcTemplate jdbc, Shipping shipping) {
            return (message, delivery, thrown) -> {
                shipping.errors.add(thrown);
                jdbc.update("INSERT INTO effect VALUES (?, ?)", ((Order) message.getPayload()).id(), "error");
                return Outcome.done();
            };
        }
        // /snippet

        @Bean
        QueueErrorHandler rethrows() {
            return (message, delivery, thrown) -> {
                throw new IllegalArgumentException("attempt " + delivery.attempt() + " after " + thrown.getClass());
            };
        }

        @Bean
        RetryPolicy once() {
            return RetryPolicy.defaults().withMaxAttempts(1);
        }

        @Bean
        RetryPolicy quick() {
            return RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ZERO, 1, Duration.ZERO);
        }
    }

    private final QueueApplication application;

    ListenerAttributesIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void rollsBackABatchThatThrowsAndRunsEachMessageAlone() {
        enqueueAndDrain("batch", 30);

        assertThat(application.effectIds()).hasSize(29).doesNotHaveDuplicates().doesNotContain(3L);
        assertThat(application.onlyDeadLetter("batch").error()).startsWith("java.lang.IllegalStateException: never");
        assertThat(application.bean(Shipping.class).sizes).anyMatch(size -> size > 1);
    }

    @Test
    void commitsTheWorkOfTheErrorHandlerAndNothingOfTheListener() {
        enqueueAndDrain("written", 1);

        assertThat(application.notes()).containsExactly("error");
        assertThat(application.bean(Shipping.class).errors).hasExactlyElementsOfTypes(OutOfStockException.class);
        assertThat(application.bean(DeadLetters.class).list("written", 10)).isEmpty();
    }

    /** Its rows and its answer were lost, because the transaction of the listener could not commit any more. */
    @Test
    void commitsTheWorkOfTheErrorHandlerAlsoIfATransactionalMethodThrewTheException() {
        enqueueAndDrain("marked", 1);

        assertThat(application.notes()).containsExactly("error");
        assertThat(application.bean(Shipping.class).errors).hasExactlyElementsOfTypes(OutOfStockException.class);
        assertThat(application.bean(DeadLetters.class).list("marked", 10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"marked-shared", "marked-batch"})
    void commitsTheOtherMessagesToo(String queue) {
        enqueueAndDrain(queue, 6);

        assertThat(application.notes()).containsExactly("shipped", "error", "shipped", "error", "shipped", "error");
        assertThat(application.effectIds()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(application.bean(DeadLetters.class).list(queue, 10)).isEmpty();
    }

    @Test
    void appliesTheRetryPolicyToTheExceptionOfAnErrorHandlerInANewTransaction() {
        enqueueAndDrain("marked-refused", 1);

        assertThat(application.onlyDeadLetter("marked-refused").error())
                .startsWith("java.lang.IllegalArgumentException: attempt 2 after class "
                        + OutOfStockException.class.getName());
        assertThat(application.notes()).isEmpty();
    }

    @Test
    void explainsTheRollbackAfterAListenerCaughtTheExceptionOfATransactionalMethod() {
        enqueueAndDrain("caught", 1);

        assertThat(application.onlyDeadLetter("caught").error())
                .contains(
                        "is marked rollback-only",
                        "left an inner @Transactional method",
                        "Do not catch that exception");
        assertThat(application.notes()).isEmpty();
    }

    @Test
    void callsTheErrorHandlerOfABatchForEachMessage() {
        enqueueAndDrain("written-batch", 5);

        assertThat(application.notes()).containsOnly("error").hasSize(5);
        assertThat(application.bean(Shipping.class).errors).hasSize(5);
    }

    @Test
    void appliesTheRetryPolicyToTheExceptionOfTheErrorHandler() {
        enqueueAndDrain("rethrown", 1);

        assertThat(application.onlyDeadLetter("rethrown").error())
                .startsWith("java.lang.IllegalArgumentException: attempt 2 after class "
                        + OutOfStockException.class.getName());
    }

    /** The error handler was called with the exception after the interrupt, and handled a timeout as a failure of the message. */
    @Test
    void doesNotCallTheErrorHandlerAfterATimeout() {
        enqueueAndDrain("late", 1);

        assertThat(application.onlyDeadLetter("late").error()).contains("timeout of PT0.1S");
        assertThat(application.bean(Shipping.class).errors).isEmpty();
        assertThat(application.effects()).isZero();
    }

    private void enqueueAndDrain(String queue, int messages) {
        application.enqueue(
                queue, LongStream.rangeClosed(1, messages).mapToObj(Order::new).toArray());
        application.drained();
    }
}

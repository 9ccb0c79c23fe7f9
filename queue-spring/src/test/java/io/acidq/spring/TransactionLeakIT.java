package io.acidq.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Interceptor;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Handlers that begin transactions, or suspend AcidQ's transaction, and do not end them. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class TransactionLeakIT {

    record Order(long id) {}

    static class Shipping {

        final List<Integer> attempts = new CopyOnWriteArrayList<>();
        final List<Boolean> inTransaction = new CopyOnWriteArrayList<>();
        final List<Integer> completions = new CopyOnWriteArrayList<>();
        final List<Throwable> reported = new CopyOnWriteArrayList<>();
        final List<String> noted = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;
        private final PlatformTransactionManager manager;

        Shipping(JdbcTemplate jdbc, PlatformTransactionManager manager) {
            this.jdbc = jdbc;
            this.manager = manager;
        }

        /** Leaves a transaction open at the first attempt only. */
        @QueueListener(queue = "leaks", concurrency = "1", retry = "quick")
        void leaks(Order order, Delivery delivery) {
            leak(order, delivery, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        }

        @QueueListener(queue = "suspends", concurrency = "1", retry = "quick")
        void suspends(Order order, Delivery delivery) {
            leak(order, delivery, TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        }

        /** Three deep: a new transaction, suspended, and another one. */
        @QueueListener(queue = "nested", concurrency = "1", retry = "quick")
        void nested(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            insert(order, "outer");
            if (delivery.attempt() == 1) {
                begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                insert(order, "inner");
                begin(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
                begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                insert(order, "innermost");
            }
        }

        @QueueListener(queue = "always", concurrency = "1", retry = "once")
        void alwaysLeaks(Order order) {
            insert(order, "outer");
            begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        }

        @QueueListener(queue = "throws", concurrency = "1", retry = "once")
        void leaksAndThrows(Order order) {
            insert(order, "outer");
            begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            insert(order, "inner");
            throw new IllegalStateException("bad order");
        }

        @QueueListener(queue = "joins", concurrency = "1")
        void joins(Order order) {
            begin(TransactionDefinition.PROPAGATION_REQUIRED);
            insert(order, "joined");
        }

        @QueueListener(queue = "shared", concurrency = "1", transactionSize = "10", retry = "quick")
        void sharesItsTransaction(Order order, Delivery delivery) {
            insert(order, "outer");
            if (order.id() == 3 && delivery.attempt() < 3) {
                begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                insert(order, "inner");
            }
        }

        @QueueListener(queue = "unbinds", concurrency = "1", transactionSize = "10", retry = "quick")
        void unbindsTheConnection(Order order, Delivery delivery) {
            insert(order, "outer");
            if (order.id() == 3 && delivery.attempt() < 3) {
                TransactionSynchronizationManager.unbindResource(requireNonNull(jdbc.getDataSource()));
            }
        }

        @QueueListener(queue = "clears", concurrency = "1", retry = "once")
        void clears(Order order) {
            insert(order, "outer");
            TransactionSynchronizationManager.clear();
        }

        @QueueListener(queue = "closes", concurrency = "1", retry = "once")
        void closes(Order order) throws SQLException {
            insert(order, "outer");
            DataSourceUtils.getConnection(pool()).close();
        }

        @QueueListener(queue = "uses", concurrency = "1", retry = "once")
        void uses(Order order) {
            insert(order, "outer");
            jdbc.execute("USE information_schema");
        }

        @QueueListener(queue = "autocommits", concurrency = "1", retry = "once")
        void autocommits(Order order) throws SQLException {
            DataSourceUtils.getConnection(pool()).setAutoCommit(true);
        }

        @QueueListener(queue = "loses", concurrency = "1", retry = "once")
        void loses(Order order) {
            jdbc.execute("COMMIT");
            insert(order, "after the commit");
        }

        /** Begins an inner transaction, whose begin fails in a callback, and catches that. */
        @QueueListener(queue = "suspend.throws", concurrency = "1", retry = "once")
        void suspendThrows(Order order) {
            insert(order, "outer");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void suspend() {
                    throw new IllegalStateException("no suspension");
                }
            });
            try {
                begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            } catch (IllegalStateException e) {
                reported.add(e);
            }
        }

        private DataSource pool() {
            return Objects.requireNonNull(jdbc.getDataSource());
        }

        @QueueListener(queue = "batch", concurrency = "1", batch = "true", retry = "quick")
        void batch(List<Order> orders) {
            orders.forEach(order -> insert(order, "outer"));
            if (attempts.isEmpty()) {
                attempts.add(1);
                begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            }
        }

        @QueueListener(queue = "external", concurrency = "1", mode = "external", retry = "quick")
        void external(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            inTransaction.add(TransactionSynchronizationManager.isActualTransactionActive());
            if (delivery.attempt() == 1) {
                begin(TransactionDefinition.PROPAGATION_REQUIRED);
                insert(order, "inner");
            }
        }

        @QueueListener(queue = "callback", concurrency = "1", retry = "quick")
        void throwsAfterTheCommit(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            insert(order, "outer");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("the mail server is down");
                }
            });
        }

        /** Leaves a transaction open in a callback of its transaction, at the first attempt only. */
        @QueueListener(queue = "beforeCommit", concurrency = "1", retry = "quick")
        void leaksBeforeTheCommit(Order order, Delivery delivery) {
            leakIn("beforeCommit", order, delivery);
        }

        @QueueListener(queue = "afterCommit", concurrency = "1", retry = "quick")
        void leaksAfterTheCommit(Order order, Delivery delivery) {
            leakIn("afterCommit", order, delivery);
        }

        @QueueListener(queue = "afterCompletion", concurrency = "1", retry = "quick")
        void leaksAfterTheCompletion(Order order, Delivery delivery) {
            leakIn("afterCompletion", order, delivery);
        }

        private void leakIn(String callback, Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            insert(order, "outer");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    leakIf("beforeCommit");
                }

                @Override
                public void afterCommit() {
                    leakIf("afterCommit");
                }

                @Override
                public void afterCompletion(int status) {
                    completions.add(status);
                    leakIf("afterCompletion");
                }

                private void leakIf(String current) {
                    if (callback.equals(current) && delivery.attempt() == 1) {
                        begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                        insert(order, "inner");
                    }
                }
            });
        }

        @QueueListener(queue = "intercepted", concurrency = "1", retry = "quick")
        void intercepted(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            insert(order, "outer");
        }

        private void leak(Order order, Delivery delivery, int propagation) {
            attempts.add(delivery.attempt());
            insert(order, "outer");
            if (delivery.attempt() == 1) {
                begin(propagation);
                if (propagation == TransactionDefinition.PROPAGATION_REQUIRES_NEW) {
                    insert(order, "inner");
                }
            }
        }

        private void begin(int propagation) {
            DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
            definition.setName("shipping");
            manager.getTransaction(definition);
        }

        private void insert(Order order, String note) {
            jdbc.update("INSERT INTO effect VALUES (?, ?)", order.id(), note);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {

        @Bean
        Shipping shipping(JdbcTemplate jdbc, PlatformTransactionManager manager) {
            return new Shipping(jdbc, manager);
        }

        /** Leaves a transaction open around the first attempt, before or after the handler. */
        @Bean
        Interceptor interceptor(ObjectProvider<PlatformTransactionManager> manager, ObjectProvider<Shipping> shipping) {
            return new Interceptor() {
                @Override
                public Handling handling(List<Delivery> deliveries) {
                    Delivery delivery = deliveries.get(0);
                    boolean leaks = delivery.id().queue().equals("intercepted") && delivery.attempt() == 1;
                    leakIf(leaks && delivery.key().isPresent());
                    return new Handling() {
                        @Override
                        public void ended(List<Outcome> outcomes) {
                            leakIf(leaks && delivery.key().isEmpty());
                        }

                        @Override
                        public void failed(Throwable failure) {
                            shipping.getObject().reported.add(failure);
                            shipping.getObject()
                                    .noted
                                    .add(String.valueOf(TransactionSynchronizationManager.getCurrentTransactionName()));
                        }
                    };
                }

                private void leakIf(boolean leaks) {
                    if (leaks) {
                        manager.getObject()
                                .getTransaction(new DefaultTransactionDefinition(
                                        TransactionDefinition.PROPAGATION_REQUIRES_NEW));
                    }
                }
            };
        }

        @Bean
        RetryPolicy once() {
            return RetryPolicy.defaults().withMaxAttempts(1);
        }

        @Bean
        RetryPolicy quick() {
            return RetryPolicy.defaults().withMaxAttempts(4).withBackoff(Duration.ZERO, 1, Duration.ZERO);
        }
    }

    private final QueueApplication application;

    TransactionLeakIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    /** All connections are in the pool again after the engine has stopped. */
    @AfterEach
    void findsNoOpenConnectionAfterTheStop() {
        application.lifecycle().stop();
        await().untilAsserted(() -> assertThat(
                        application.bean(TestPool.class).getHikariPoolMXBean().getActiveConnections())
                .isZero());
        application.close();
    }

    /** The acknowledgement ran in the handler's transaction, the effect committed in AcidQ's, and the message ran again. */
    @ParameterizedTest
    @ValueSource(strings = {"leaks", "suspends", "nested"})
    void rollsBackTransactionsThatTheHandlerBeganOrSuspendedAndDidNotEnd(String queue) {
        application.enqueue(queue, new Order(1));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(application.notes()).containsExactly("outer");
    }

    @Test
    void rollsBackTransactionsThatAnInterceptorBeganAndDidNotEnd() {
        application.enqueue("intercepted", new Order(1));
        new TransactionTemplate(application.bean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> application
                        .bean(MessageQueue.class)
                        .enqueue(
                                "intercepted",
                                new Order(2),
                                EnqueueOptions.options().key("before the handler")));
        application.drained();

        assertThat(shipping().attempts).containsExactlyInAnyOrder(1, 1, 2, 2);
        assertThat(application.notes()).containsExactly("outer", "outer");
    }

    /**
     * This needs a guard around the handler alone, inside the one around its interceptors. In a batch there was none: its interceptors were told that
     * it had ended well.
     */
    @ParameterizedTest
    @ValueSource(strings = {"leaks", "batch"})
    void tellsTheInterceptorsOfAHandlerThatLeftATransactionOpenInTheTransactionOfTheMessage(String queue) {
        application.enqueue(
                queue, queue.equals("batch") ? new Object[] {new Order(1), new Order(2)} : new Object[] {new Order(1)});
        application.drained();

        assertThat(shipping().reported)
                .hasSize(1)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageStartingWith("the handler of queue '" + queue + "'"));
        assertThat(shipping().noted).containsExactly("AcidQ");
    }

    @Test
    void reportsTheExceptionOfAHandlerThatLeftATransactionOpenAndThrew() {
        application.enqueue("throws", new Order(1));
        application.drained();

        assertThat(application.onlyDeadLetter("throws").error())
                .startsWith("java.lang.IllegalStateException: bad order");
        assertThat(application.notes()).isEmpty();
    }

    @Test
    void namesTheHandlerAndTheTransactionThatItLeftOpen() {
        application.enqueue("always", new Order(1));
        application.drained();

        assertThat(application.onlyDeadLetter("always").error())
                .contains("queue 'always'")
                .contains("Shipping.alwaysLeaks(Order)")
                .contains("began the transaction 'shipping' and did not end it")
                .contains("rolled back");
        assertThat(application.notes()).isEmpty();
    }

    /** The error named neither the handler nor what it had done: no transaction was open, or the connection was closed. */
    @ParameterizedTest
    @CsvSource({
        "clears, has cleared Spring's state of AcidQ's transaction",
        "closes, has closed the connection of AcidQ's transaction",
        "uses, has changed the current database of AcidQ's connection",
        "autocommits, has switched on autocommit on the connection of AcidQ's transaction",
        "loses, the transaction in which the work began was lost",
        "suspend.throws, 'suspended AcidQ''s transaction in part, because a callback threw'"
    })
    void namesTheHandlerThatTookTheTransactionFromItsThread(String queue, String text) {
        application.enqueue(queue, new Order(1));
        application.drained();

        assertThat(application.onlyDeadLetter(queue).error())
                .contains("the handler of queue '" + queue + "'")
                .contains(text);
        assertThat(application.notes()).isEmpty();
    }

    @Test
    void commitsAfterAHandlerThatJoinedTheTransactionAndDidNotCompleteIt() {
        application.enqueue("joins", new Order(1));
        application.drained();

        assertThat(application.notes()).containsExactly("joined");
    }

    @Test
    void repeatsTheMessagesOfASharedTransactionInWhichOneHandlerLeftATransactionOpen() {
        application.enqueue(
                "shared", LongStream.rangeClosed(1, 9).mapToObj(Order::new).toArray());
        application.drained();

        assertThat(application.effectIds()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(application.notes()).containsOnly("outer");
    }

    /** The next message of the transaction ran with autocommit, and its effect was there twice. */
    @Test
    void repeatsTheMessagesOfASharedTransactionInWhichOneHandlerUnboundTheConnection() {
        application.enqueue(
                "unbinds", LongStream.rangeClosed(1, 9).mapToObj(Order::new).toArray());
        application.drained();

        assertThat(application.effectIds()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void rollsBackABatchWhoseHandlerLeftATransactionOpen() {
        application.enqueue("batch", new Order(1));
        application.drained();

        assertThat(application.notes()).containsExactly("outer");
    }

    @Test
    void rollsBackTheTransactionThatAnExternalHandlerLeftOpenAndRunsTheNextAttemptWithoutOne() {
        application.enqueue("external", new Order(1));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(shipping().inTransaction).containsExactly(false, false);
        assertThat(application.notes()).isEmpty();
    }

    /** It was reported as a lost claim. */
    @Test
    void acknowledgesAMessageWhoseCallbackThrowsAfterTheCommit() {
        application.enqueue("callback", new Order(1), new Order(2));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 1);
        assertThat(application.notes()).containsExactly("outer", "outer");
    }

    /** The message was done, and what the callback wrote was lost; its connection never came back to the pool. */
    @Test
    void rollsBackAMessageWhoseCallbackLeftATransactionOpenBeforeTheCommit() {
        application.enqueue("beforeCommit", new Order(1));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(application.notes()).containsExactly("outer");
        assertThat(shipping().completions)
                .containsExactly(
                        TransactionSynchronization.STATUS_ROLLED_BACK, TransactionSynchronization.STATUS_COMMITTED);
    }

    /** The connection never came back to the pool. */
    @ParameterizedTest
    @ValueSource(strings = {"afterCommit", "afterCompletion"})
    void rollsBackTheTransactionThatACallbackLeftOpenAfterTheCommit(String queue) {
        application.enqueue(queue, new Order(1), new Order(2));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 1);
        assertThat(application.notes()).containsExactly("outer", "outer");
        assertThat(shipping().completions).containsOnly(TransactionSynchronization.STATUS_COMMITTED);
    }

    private Shipping shipping() {
        return AopTestUtils.getUltimateTargetObject(application.bean(Shipping.class));
    }
}

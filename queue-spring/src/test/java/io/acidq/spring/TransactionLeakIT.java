package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Handlers that begin transactions, or suspend AcidQ's, and do not end what they began. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class TransactionLeakIT {

    record Order(long id) {}

    static class Shipping {

        final List<Integer> attempts = new CopyOnWriteArrayList<>();
        final List<Boolean> inTransaction = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;
        private final PlatformTransactionManager manager;

        Shipping(JdbcTemplate jdbc, PlatformTransactionManager manager) {
            this.jdbc = jdbc;
            this.manager = manager;
        }

        /** Behaves on the second attempt. */
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

    @AfterEach
    void close() {
        application.close();
    }

    /** The acknowledgement had run in the handler's transaction, the effect had committed in AcidQ's, and the message ran again. */
    @Test
    void rollsBackANewTransactionThatTheHandlerDidNotEndAndTheEffectsOfItsOwn() {
        enqueue("leaks", 1);
        drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(notes()).containsExactly("outer");
        isClean();
    }

    @Test
    void rollsBackWhenTheHandlerSuspendedItsTransaction() {
        enqueue("suspends", 1);
        drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(notes()).containsExactly("outer");
        isClean();
    }

    @Test
    void rollsBackEachOfSeveralTransactionsThatTheHandlerLeftInOneAnother() {
        enqueue("nested", 1);
        drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(notes()).containsExactly("outer");
        isClean();
    }

    @Test
    void keepsTheExceptionOfAHandlerThatLeftATransactionAndThrew() {
        enqueue("throws", 1);
        drained();

        assertThat(deadLetters("throws").get(0).mark()).startsWith("java.lang.IllegalStateException: bad order");
        assertThat(notes()).isEmpty();
        isClean();
    }

    @Test
    void namesTheHandlerAndTheTransactionThatItLeft() {
        enqueue("always", 1);
        drained();

        assertThat(deadLetters("always").get(0).mark())
                .contains("queue 'always'")
                .contains("Shipping.alwaysLeaks(Order)")
                .contains("began the transaction 'shipping' and did not end it")
                .contains("rolled back");
        assertThat(notes()).isEmpty();
        isClean();
    }

    @Test
    void commitsWithAHandlerThatJoinedItsTransactionAndDidNotEndTheJoining() {
        enqueue("joins", 1);
        drained();

        assertThat(notes()).containsExactly("joined");
        isClean();
    }

    @Test
    void takesBackOnlyTheMessageOfASharedTransactionWhoseHandlerLeftOne() {
        application.transaction.executeWithoutResult(status -> {
            for (int id = 1; id <= 9; id++) {
                application.bean(MessageQueue.class).enqueue("shared", new Order(id));
            }
        });
        drained();

        assertThat(application.jdbc.queryForList("SELECT id FROM effect ORDER BY id", Long.class))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(notes()).containsOnly("outer");
        isClean();
    }

    @Test
    void rollsBackABatchWhoseHandlerLeftATransaction() {
        enqueue("batch", 1);
        drained();

        assertThat(notes()).containsExactly("outer");
        isClean();
    }

    @Test
    void rollsBackWhatAnExternalHandlerLeftAndRunsTheNextOneWithoutATransaction() {
        enqueue("external", 1);
        drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(shipping().inTransaction).containsExactly(false, false);
        assertThat(notes()).isEmpty();
        isClean();
    }

    /** It had been told as a claim that was lost. */
    @Test
    void isDoneWhenACallbackThrowsAfterTheCommit() {
        enqueue("callback", 1);
        enqueue("callback", 2);
        drained();

        assertThat(shipping().attempts).containsExactly(1, 1);
        assertThat(notes()).containsExactly("outer", "outer");
        isClean();
    }

    /** No connection stays out of the pool once the engine has given back its own. */
    private void isClean() {
        application.lifecycle().stop();
        await().untilAsserted(() -> assertThat(
                        application.bean(TestPool.class).getHikariPoolMXBean().getActiveConnections())
                .isZero());
    }

    private void enqueue(String queue, long id) {
        application.transaction.executeWithoutResult(
                status -> application.bean(MessageQueue.class).enqueue(queue, new Order(id)));
    }

    private List<String> notes() {
        return application.jdbc.queryForList("SELECT note FROM effect", String.class);
    }

    private List<DeadLetter> deadLetters(String queue) {
        return application.bean(DeadLetters.class).list(queue, 10);
    }

    private Shipping shipping() {
        return AopTestUtils.getUltimateTargetObject(application.bean(Shipping.class));
    }

    private void drained() {
        await().atMost(Duration.ofSeconds(30)).until(() -> application.messages() == 0);
    }
}

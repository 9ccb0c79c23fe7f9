package io.acidq.spring;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.admin.AuditLog;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.engine.Engine;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@ParameterizedClass
@EnumSource(ServerKind.class)
class ListenerIT {

    record Order(long id) {}

    /** A checked exception; the retry policy dead-letters it at once. */
    static class OutOfStockException extends Exception {}

    static class Shipping {

        final List<Boolean> inTransaction = new CopyOnWriteArrayList<>();
        final List<Integer> attempts = new CopyOnWriteArrayList<>();
        final CountDownLatch shippingSlowly = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final JdbcTemplate jdbc;
        private final MessageQueue queue;

        Shipping(JdbcTemplate jdbc, MessageQueue queue) {
            this.jdbc = jdbc;
            this.queue = queue;
        }

        @QueueListener(queue = "plain", concurrency = "2")
        void plain(@Header(name = "note", defaultValue = "none") String note, Order order) {
            insert(order, note);
        }

        @QueueListener(queue = "fatal", retry = "quick")
        void fatal(Order order) throws OutOfStockException {
            insert(order, "");
            throw new OutOfStockException();
        }

        @Transactional // behind a proxy; joins the transaction
        @QueueListener(queue = "third-time", retry = "quick")
        public void thirdTime(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            insert(order, "");
            if (delivery.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
        }

        @QueueListener(queue = "hopeless", retry = "quick")
        void hopeless(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            insert(order, "");
            throw new IllegalStateException("never");
        }

        /** Loses its transaction as after a swallowed deadlock: the database rolls back, and the next statement begins a new transaction. */
        @QueueListener(queue = "replaced", retry = "quick")
        void replaced(Order order, Delivery delivery) {
            attempts.add(delivery.attempt());
            if (delivery.attempt() == 1) {
                jdbc.execute("ROLLBACK");
            }
            insert(order, "");
        }

        @QueueListener(queue = "chain")
        void chain(Order order) {
            queue.enqueue("plain", new Order(order.id() + 1));
            insert(order, "");
        }

        @QueueListener(queue = "slow")
        void slow(Order order) throws InterruptedException {
            shippingSlowly.countDown();
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            insert(order, "");
        }

        @QueueListener(queue = "external", mode = "external")
        void external(Order order, Delivery delivery) {
            inTransaction.add(TransactionSynchronizationManager.isActualTransactionActive());
            assertThat(delivery.stillMine()).isTrue();
        }

        @QueueListener(queue = "together", concurrency = "1", transactionSize = "10", retry = "quick")
        void together(Order order) {
            insert(order, "");
            if (order.id() == 3) {
                throw new IllegalStateException("never");
            }
        }

        /** Blocks in the database, where an interrupt has no effect. */
        @QueueListener(queue = "stuck", timeout = "100ms", retry = "once")
        void stuck(Order order) {
            insert(order, "");
            jdbc.execute("SELECT SLEEP(600)");
        }

        private void insert(Order order, String note) {
            jdbc.update("INSERT INTO effect VALUES (?, ?)", order.id(), note);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {

        @Bean
        Shipping shipping(JdbcTemplate jdbc, MessageQueue queue) {
            return new Shipping(jdbc, queue);
        }

        @Bean
        RetryPolicy once() {
            return RetryPolicy.defaults().withMaxAttempts(1);
        }

        @Bean
        RetryPolicy quick() {
            return RetryPolicy.defaults()
                    .withMaxAttempts(3)
                    .withBackoff(Duration.ZERO, 1, Duration.ZERO)
                    .withRule(RetryRule.deadOn(OutOfStockException.class));
        }
    }

    private final QueueApplication application;

    ListenerIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    @Test
    void runsAnExternalListenerWithoutATransaction() {
        application.enqueue("external", new Order(1));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> shipping().inTransaction.equals(List.of(false)));
        application.drained();
    }

    @Test
    void repeatsSeveralMessagesOfOneTransactionWithoutTheBadOne() {
        application.enqueue(
                "together", LongStream.rangeClosed(1, 30).mapToObj(Order::new).toArray());
        application.drained();
        assertThat(application.effectIds()).hasSize(29).doesNotContain(3L);
        application.onlyDeadLetter("together");
    }

    @Test
    void abortsTheConnectionOfAListenerThatBlocksInTheDatabase() {
        application.enqueue("stuck", new Order(1));
        application.drained();
        assertThat(application.onlyDeadLetter("stuck").error()).contains("timeout of PT0.1S");
        assertThat(application.effects()).isZero();
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void commitsEffectsWithTheAcknowledgement() {
        application.transaction.executeWithoutResult(status -> application
                .bean(MessageQueue.class)
                .enqueue("plain", new Order(1), options().header("note", "fragile")));
        application.enqueue("plain", new Order(2));
        application.drained();

        assertThat(application.notes()).containsExactly("fragile", "none");
    }

    @Test
    void appliesTheRetryPolicyToTheExceptionOfTheMethod() {
        application.enqueue("fatal", new Order(1));
        application.drained();

        DeadLetter dead = application.onlyDeadLetter("fatal");
        assertThat(dead.attempts()).isEqualTo(1);
        assertThat(dead.error()).startsWith(OutOfStockException.class.getName());
        assertThat(application.effects()).isZero();
    }

    @Test
    void retriesByThePolicyBeanUntilTheMethodSucceeds() {
        application.enqueue("third-time", new Order(1));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 2, 3);
        assertThat(application.effects()).isEqualTo(1);
    }

    @Test
    void deadLettersAMessageThatNeverSucceedsAndReplaysIt() {
        application.enqueue("hopeless", new Order(1));
        application.drained();
        DeadLetter dead = application.onlyDeadLetter("hopeless");
        assertThat(dead.attempts()).isEqualTo(3);

        assertThat(application.bean(DeadLetters.class).replay(dead.id())).isTrue();
        await().until(() -> shipping().attempts.size() == 6);
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 2, 3, 1, 2, 3);
        assertThat(application.effects()).isZero();
        assertThat(application.bean(AuditLog.class).of(dead.id()))
                .extracting(AuditEntry::action)
                .containsExactly("replay");
    }

    @Test
    void retriesAMessageWhoseTransactionWasLost() {
        application.enqueue("replaced", new Order(1));
        application.drained();

        assertThat(shipping().attempts).containsExactly(1, 2);
        assertThat(application.effects()).isEqualTo(1);
    }

    @Test
    void enqueuesFromAListenerInItsTransaction() {
        application.enqueue("chain", new Order(1));
        await().until(() -> application.effects() == 2);
        application.drained();

        assertThat(application.effectIds()).containsExactly(1L, 2L);
    }

    @Test
    void waitsForRunningListenersWhenTheApplicationStops() throws Exception {
        Engine engine = application.bean(Engine.class);
        Shipping shipping = shipping();
        assertThat(engine.isRunning()).isTrue();
        application.enqueue("slow", new Order(1));
        assertThat(shipping.shippingSlowly.await(30, TimeUnit.SECONDS)).isTrue();

        SmartLifecycle lifecycle = application.lifecycle();
        CountDownLatch stopped = new CountDownLatch(1);
        lifecycle.stop(stopped::countDown);
        shipping.goOn.countDown();
        assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(engine.isRunning()).isFalse();
        assertThat(lifecycle.isRunning()).isFalse();
        assertThat(application.effects()).isEqualTo(1);
        assertThat(application.messages()).isZero();
    }

    @Test
    void startsAgainAfterAStop() {
        SmartLifecycle lifecycle = application.lifecycle();
        lifecycle.stop();
        application.enqueue("plain", new Order(1));
        assertThat(application.messages()).isEqualTo(1);

        lifecycle.start();
        application.drained();

        assertThat(application.effects()).isEqualTo(1);
    }

    private Shipping shipping() {
        return AopTestUtils.getUltimateTargetObject(application.bean(Shipping.class));
    }
}

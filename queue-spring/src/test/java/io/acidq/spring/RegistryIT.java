package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
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

@ParameterizedClass
@EnumSource(ServerKind.class)
class RegistryIT {

    record Order(long id) {}

    static class Shipping {

        final Semaphore started = new Semaphore(0);
        final CountDownLatch finish = new CountDownLatch(1);
        private final JdbcTemplate jdbc;

        Shipping(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @QueueListener(
                id = "shipping",
                queues = {"eu", "us"},
                concurrency = "1")
        void ship(Order order) {
            insert(order);
        }

        @QueueListener(id = "slow", queue = "slow", concurrency = "1")
        void slow(Order order) throws InterruptedException {
            started.release();
            assertThat(finish.await(30, TimeUnit.SECONDS)).isTrue();
            insert(order);
        }

        /** Ignores interrupts. */
        @QueueListener(
                id = "stubborn",
                queues = {"stubborn-a", "stubborn-b", "stubborn-c"},
                concurrency = "1")
        void stubborn(Order order) {
            started.release();
            while (finish.getCount() > 0) {
                try {
                    assertThat(finish.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    // ignored
                }
            }
        }

        @QueueListener(queue = "later", autoStartup = "false")
        void later(Order order) {
            insert(order);
        }

        private void insert(Order order) {
            jdbc.update("INSERT INTO effect VALUES (?, '')", order.id());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Shipping shipping(JdbcTemplate jdbc) {
            return new Shipping(jdbc);
        }
    }

    /** An application that only publishes until its listener is started. */
    @Configuration(proxyBeanMethods = false)
    static class Publishing {

        @Bean
        LaterShipping later(JdbcTemplate jdbc) {
            return new LaterShipping(jdbc);
        }
    }

    record LaterShipping(JdbcTemplate jdbc) {

        @QueueListener(id = "later", queue = "later", autoStartup = "false")
        void later(Order order) {
            jdbc.update("INSERT INTO effect VALUES (?, '')", order.id());
        }
    }

    private final ServerKind kind;
    private final QueueApplication application;
    private final QueueListenerRegistry registry;
    private final Shipping shipping;

    RegistryIT(ServerKind kind) {
        this.kind = kind;
        this.application = new QueueApplication(kind, Shop.class);
        this.registry = application.bean(QueueListenerRegistry.class);
        this.shipping = application.bean(Shipping.class);
    }

    @AfterEach
    void close() {
        shipping.finish.countDown();
        application.close();
    }

    @Test
    void knowsTheListenersByIdAndNamesThemInAnError() {
        assertThat(registry.ids()).containsExactlyInAnyOrder("shipping", "slow", "stubborn", "shipping.later");
        assertThat(registry.queues("shipping")).containsExactly("eu", "us");
        assertThatThrownBy(() -> registry.stop("ship"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("'ship'")
                .hasMessageContaining("shipping.later");
    }

    @Test
    void pausesAllQueuesOfAListenerAndResumesThem() {
        registry.pause("shipping");
        assertThat(registry.listener("shipping").isPaused()).isTrue();
        assertThat(registry.listener("shipping").isRunning()).isTrue();
        enqueue("eu", 3);
        enqueue("us", 3);
        await().during(Duration.ofMillis(300)).until(() -> application.effects() == 0);

        registry.resume("shipping");
        application.drained();
        assertThat(application.effects()).isEqualTo(6);
    }

    @Test
    void requeuesWaitingMessagesAndFinishesTheRunningOneWhenAListenerIsStopped() throws Exception {
        enqueue("slow", 5);
        assertThat(shipping.started.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        await().until(() -> claimed() > 1);

        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> registry.stop("slow"));
        await().until(() -> claimed() == 1);
        assertThat(registry.listener("slow").isRunning()).isTrue();
        shipping.finish.countDown();

        assertThat(stopped.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(registry.listener("slow").isRunning()).isFalse();
        assertThat(application.effects()).isEqualTo(1);
        assertThat(application.messages()).isEqualTo(4);
        await().until(() -> !serves("slow"));

        registry.start("slow");
        application.drained();
        assertThat(application.effects()).isEqualTo(5);
        await().until(() -> serves("slow"));
    }

    @Test
    void startsAListenerThatDidNotStartWithTheApplication() {
        assertThat(registry.listener("shipping.later").isRunning()).isFalse();
        assertThat(serves("later")).isFalse();
        enqueue("later", 1);
        enqueue("eu", 1);
        await().until(() -> application.messages() == 1);
        await().during(Duration.ofMillis(200)).until(() -> application.messages() == 1);

        registry.start("shipping.later");
        application.drained();
        assertThat(application.effects()).isEqualTo(2);
    }

    /** A process that only published was a node, and held a connection for its heartbeats. */
    @Test
    void isNoNodeBeforeItsFirstListenerStarts() {
        QueueApplication publishing = new QueueApplication(kind, Publishing.class);
        try {
            assertThat(publishing.count("SELECT COUNT(*) FROM acidq_node")).isZero();
            publishing.enqueue("later", new Order(1));

            QueueListenerRegistry listeners = publishing.bean(QueueListenerRegistry.class);
            publishing.jdbc.execute("ALTER TABLE acidq_node RENAME TO hidden");
            assertThatThrownBy(() -> listeners.start("later")).isInstanceOf(RuntimeException.class);
            publishing.jdbc.execute("ALTER TABLE hidden RENAME TO acidq_node");
            listeners.start("later");

            await().until(() -> publishing.effects() == 1 && publishing.messages() == 0);
            assertThat(publishing.count("SELECT COUNT(*) FROM acidq_node WHERE state = 'ALIVE'"))
                    .isEqualTo(1);
        } finally {
            publishing.close();
        }
    }

    @Test
    void startsNoListenerInAStoppedEngine() {
        application.lifecycle().stop();

        registry.start("shipping");
        registry.resume("shipping");

        assertThat(registry.listener("shipping").isRunning()).isFalse();
        assertThat(application.count("SELECT COUNT(*) FROM acidq_node WHERE state = 'ALIVE'"))
                .isZero();
        assertThat(AcidqThreads.alive()).isEmpty();
    }

    /** A start was requested during the stop of the listener, and then the engine was stopped. */
    @Test
    void startsNoListenerWhenItsStopEndsDuringTheStopOfTheEngine() throws Exception {
        enqueue("slow", 5);
        assertThat(shipping.started.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> registry.stop("slow"));
        await().until(() -> claimed() == 1);
        registry.start("slow");
        CompletableFuture<Void> engine = CompletableFuture.runAsync(application.lifecycle()::stop);
        await().until(() -> application.bean(Engine.class).queues().isEmpty());
        shipping.finish.countDown();
        stopped.get(30, TimeUnit.SECONDS);
        engine.get(30, TimeUnit.SECONDS);

        assertThat(AcidqThreads.alive()).isEmpty();
        assertThat(application.effects()).isEqualTo(1);
    }

    @Test
    void keepsAListenerStoppedOverAStopAndStartOfTheApplication() {
        registry.stop("shipping");
        SmartLifecycle lifecycle = application.lifecycle();
        lifecycle.stop();
        lifecycle.start();

        assertThat(registry.listener("shipping").isRunning()).isFalse();
        assertThat(registry.listener("slow").isRunning()).isTrue();
        registry.start("shipping");
        enqueue("us", 1);
        application.drained();
    }

    @Test
    void losesNoMessageWhileThreadsStartAndStopAListener() {
        enqueue("eu", 150);
        enqueue("us", 50);
        List<CompletableFuture<Void>> many = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            many.add(CompletableFuture.runAsync(() -> {
                for (int times = 0; times < 10; times++) {
                    registry.stop("shipping");
                    registry.start("shipping");
                }
            }));
        }
        many.forEach(CompletableFuture::join);
        application.drained();

        assertThat(application.effects()).isEqualTo(200);
        application.lifecycle().stop();
        assertThat(AcidqThreads.alive()).isEmpty();
    }

    /** The queues were stopped one after the other. Takes the five seconds that a stop gives a handler that ignores interrupts. */
    @Test
    void stopsSeveralQueuesAtTheSameTime() throws Exception {
        enqueue("stubborn-a", 1);
        enqueue("stubborn-b", 1);
        enqueue("stubborn-c", 1);
        assertThat(shipping.started.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();

        long began = System.nanoTime();
        assertThat(registry.listener("stubborn").stop(Duration.ofMillis(100))).isFalse();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(14));
        assertThat(application.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0"))
                .isZero();
    }

    private int claimed() {
        return application.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0");
    }

    private boolean serves(String queue) {
        int id = application.count("SELECT id FROM acidq_queue WHERE name = '" + queue + "'");
        return application.count(
                        "SELECT COUNT(*) FROM acidq_node WHERE state = 'ALIVE' AND CONCAT(',', workers) LIKE '%," + id
                                + ":%'")
                > 0;
    }

    private void enqueue(String queue, int messages) {
        application.enqueue(
                queue, LongStream.rangeClosed(1, messages).mapToObj(Order::new).toArray());
    }
}

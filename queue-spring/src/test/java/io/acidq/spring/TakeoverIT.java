package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.admin.DeadLetters;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** One application stops under load, and another continues. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class TakeoverIT {

    private static final int MESSAGES = 400;

    record Order(long id) {}

    static class Shipping {

        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger interrupted = new AtomicInteger();
        private final JdbcTemplate jdbc;

        Shipping(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @QueueListener(
                queues = {"a", "b", "c"},
                concurrency = "3")
        void ship(Order order) {
            runs.incrementAndGet();
            jdbc.update("INSERT INTO effect VALUES (?, '')", order.id());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)); // work
            if (Thread.interrupted()) {
                interrupted.incrementAndGet();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Shipping shipping(JdbcTemplate jdbc) {
            return new Shipping(jdbc);
        }
    }

    private final QueueApplication first;

    TakeoverIT(ServerKind kind) {
        this.first = new QueueApplication(kind, Shop.class);
    }

    @AfterEach
    void close() {
        first.close();
    }

    @Test
    void runsEachMessageOnceAndInterruptsNoneWhenAnotherApplicationTakesOver() {
        Shipping before = first.bean(Shipping.class);
        enqueue(0);
        await().until(() -> before.runs.get() > 50);
        try (QueueApplication second = first.beside(Shop.class)) {
            Shipping after = second.bean(Shipping.class);
            enqueue(MESSAGES); // more, because the first can have processed all while the second started
            first.lifecycle().stop();
            assertThat(AcidqThreads.alive()).isNotEmpty(); // of the second
            int atEnd = before.runs.get();
            second.drained();

            assertThat(before.runs.get()).isEqualTo(atEnd);
            assertThat(before.runs.get() + after.runs.get()).isEqualTo(2 * MESSAGES);
            assertThat(after.runs.get()).isPositive();
            assertThat(before.interrupted.get() + after.interrupted.get()).isZero();
            assertThat(second.effects()).isEqualTo(2 * MESSAGES);
            assertThat(second.count("SELECT COUNT(DISTINCT id) FROM effect")).isEqualTo(2 * MESSAGES);
        }
    }

    @Test
    void leavesNoThreadAndNoNodeAndStartsAgain() {
        SmartLifecycle lifecycle = first.lifecycle();
        lifecycle.stop();
        await().until(() -> AcidqThreads.alive().isEmpty());
        assertThat(first.count("SELECT COUNT(*) FROM acidq_node WHERE state = 'ALIVE'"))
                .isZero();

        lifecycle.start();
        enqueue(0);
        first.drained();
        assertThat(first.effects()).isEqualTo(MESSAGES);
    }

    /** Like a restart by devtools: the new context has the same classes in another class loader. */
    @Test
    void decodesPayloadsAfterARestartInANewClassLoader() throws Exception {
        first.lifecycle().stop();
        enqueue(0);
        Class<?> shop = new Reloading().loadClass(Shop.class.getName());
        assertThat(shop).isNotEqualTo(Shop.class);

        try (QueueApplication second = first.beside(shop)) {
            second.drained();
            assertThat(second.effects()).isEqualTo(MESSAGES);
            assertThat(second.bean(DeadLetters.class).list("a", 1)).isEmpty();
        }
        await().until(() -> AcidqThreads.alive().isEmpty());
    }

    /** Loads the classes of the application again. */
    private static final class Reloading extends ClassLoader {

        private static final String THEIRS = TakeoverIT.class.getName();

        Reloading() {
            super(TakeoverIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null
                        ? loaded
                        : name.startsWith(THEIRS) ? define(name) : super.loadClass(name, resolve);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private void enqueue(int firstId) {
        MessageQueue queue = first.bean(MessageQueue.class);
        first.transaction.executeWithoutResult(status -> {
            for (int id = 0; id < MESSAGES; id++) {
                queue.enqueue(List.of("a", "b", "c").get(id % 3), new Order(firstId + id));
            }
        });
    }
}

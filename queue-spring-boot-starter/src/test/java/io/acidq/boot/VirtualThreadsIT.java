package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetters;
import io.acidq.engine.Engine;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.QueueListener;
import io.acidq.spring.WorkerThreads;
import io.acidq.telemetry.QueueState;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** With spring.threads.virtual.enabled. A JVM with virtual threads uses them; on an older JVM the property has no effect. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class VirtualThreadsIT {

    private static final boolean HAS_THEM = Runtime.version().feature() >= 21;
    private static final int MESSAGES = 200;

    record Order(long id) {}

    static class Shipping {

        final Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger runs = new AtomicInteger();

        @QueueListener(queue = "fast", concurrency = "${shop.workers}")
        void ship(Order order) throws ReflectiveOperationException {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            virtual.add(
                    HAS_THEM && (Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // work
            running.decrementAndGet();
            runs.incrementAndGet();
        }

        @QueueListener(queue = "stuck", concurrency = "1", timeout = "100ms", retry = "once")
        void stuck(Order order) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Shop {

        @Bean
        Shipping shipping() {
            return new Shipping();
        }

        @Bean
        RetryPolicy once() {
            return RetryPolicy.defaults().withMaxAttempts(1);
        }
    }

    private final ServerKind kind;

    VirtualThreadsIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void limitsWorkersToThePoolAndEnforcesTheirTimeout() {
        try (ConfigurableApplicationContext context = start(12)) {
            enqueue(context, "stuck", 1);
            enqueue(context, "fast", MESSAGES);
            Shipping shipping = context.getBean(Shipping.class);
            await().atMost(Duration.ofSeconds(30)).until(() -> shipping.runs.get() >= MESSAGES);
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            context.getBean(DeadLetters.class).list("stuck", 10).size() == 1);

            assertThat(shipping.virtual).containsOnly(HAS_THEM);
            assertThat(shipping.most.get()).isBetween(2, HAS_THEM ? 7 : 4);
            assertThat(context.getBean(Engine.class).queues())
                    .filteredOn(queue -> queue.queue().equals("fast"))
                    .extracting(QueueState::workers)
                    .containsExactly(HAS_THEM ? 7 : 4);
            assertThat(context.getBeanProvider(WorkerThreads.class).getIfAvailable() != null)
                    .isEqualTo(HAS_THEM);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            await().until(() -> Integer.valueOf(0)
                    .equals(jdbc.queryForObject("SELECT COUNT(*) FROM acidq_message", Integer.class)));
            assertThat(shipping.runs.get()).isEqualTo(MESSAGES);
        }
    }

    /** Without virtual threads the workers are not limited, and the same pool is large enough. */
    @Test
    void refusesVirtualThreadsWithAPoolThatIsTooSmallForTheListeners() {
        if (HAS_THEM) {
            assertThatThrownBy(() -> start(5).close())
                    .rootCause()
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("5 connections")
                    .hasMessageContaining("raise the maximum size of the pool to 6 or more");
        } else {
            try (ConfigurableApplicationContext context = start(5)) {
                assertThat(context.getBean(Engine.class).isRunning()).isTrue();
            }
        }
    }

    private ConfigurableApplicationContext start(int connections) {
        return ServerApplication.start(
                kind,
                Shop.class,
                "spring.threads.virtual.enabled=true",
                "spring.datasource.hikari.maximum-pool-size=" + connections,
                "shop.workers=" + (HAS_THEM ? 200 : 4),
                "acidq.initialize-schema=always");
    }

    private static void enqueue(ConfigurableApplicationContext context, String queue, int messages) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            for (int id = 0; id < messages; id++) {
                context.getBean(MessageQueue.class).enqueue(queue, new Order(id));
            }
        });
    }
}

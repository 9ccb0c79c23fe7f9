package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.doctor.PoolRequirements;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The smallest pools that are accepted. With 2 connections an engine does not start; with 3, or with 4 and two listeners, it waits for a connection
 * until the pool times out.
 */
@ParameterizedClass
@EnumSource(ServerKind.class)
class SmallPoolIT {

    private static final int MESSAGES = 40;

    @Parameter
    private ServerKind kind;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void startsRunsAndStopsWithTheFewestConnections(int listeners) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        try (HikariDataSource pool = pool(database, new PoolRequirements(List.of(1)).minimum())) {
            Schema.create(pool);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, transactions));
            CountDownLatch done = new CountDownLatch(MESSAGES);
            for (int i = 0; i < listeners; i++) {
                builder.listen(Listener.on("small-" + i, String.class, (text, delivery) -> {
                            done.countDown();
                            return Outcome.done();
                        })
                        .withConcurrency(1));
            }
            Engine engine = builder.build();
            engine.start();
            for (int i = 0; i < MESSAGES; i++) {
                String queue = "small-" + i % listeners;
                transactions.run(() -> engine.queue().enqueue(queue, "x"));
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> done.getCount() == 0);
            assertThat(engine.stop(Duration.ofSeconds(10))).isTrue();
        }
    }

    /** Three listeners with nine workers asked for 24 connections. */
    @Test
    void neverWaitsForAConnectionOfAPoolWithTheSizeOfTheFormula() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        List<Integer> workers = List.of(4, 3, 2);
        PoolRequirements requirements = new PoolRequirements(workers);
        assertThat(requirements.withoutWaits()).isEqualTo(9 + 3 + 4);
        try (CountingPool pool = new CountingPool(settings(database, requirements.withoutWaits()));
                HikariDataSource others = pool(database, 5)) {
            Schema.create(others);
            EngineConfig config = EngineConfig.defaults().withHeartbeat(Duration.ofMillis(100), 10);
            CountDownLatch done = new CountDownLatch(3 * MESSAGES);
            EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, new JdbcTransactions(pool)));
            for (int i = 0; i < workers.size(); i++) {
                config = config.withQueue("exact-" + i, QueueConfig.defaults().withBacklogAlarm(5));
                builder.listen(Listener.on("exact-" + i, String.class, (text, delivery) -> {
                            if (delivery.attempt() == 1 && text.endsWith("0")) {
                                throw new IllegalStateException("recorded on a connection of the store");
                            }
                            done.countDown();
                            return Outcome.done();
                        })
                        .withRetry(RetryPolicy.defaults().withBackoff(Duration.ofMillis(1), 1, Duration.ofMillis(1)))
                        .withConcurrency(workers.get(i)));
            }
            JdbcTransactions sending = new JdbcTransactions(others);
            Engine sender = Engine.builder(MyBatisStore.over(others, sending)).build();
            try (Engine engine = builder.config(config).build()) {
                engine.start();
                for (int i = 0; i < MESSAGES; i++) {
                    String text = "text-" + i;
                    Duration delay = Duration.ofMillis(i % 3);
                    sending.run(() -> List.of(0, 1, 2)
                            .forEach(queue -> sender.queue()
                                    .enqueue(
                                            "exact-" + queue,
                                            text,
                                            EnqueueOptions.options().delay(delay))));
                }
                await().atMost(Duration.ofSeconds(20)).until(() -> done.getCount() == 0);
            }
            assertThat(pool.maxAtOnce()).isLessThanOrEqualTo(requirements.withoutWaits());
        }
    }

    /** A pool that counts the threads that have or want a connection. */
    private static final class CountingPool extends HikariDataSource {

        private final AtomicInteger wanted = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        CountingPool(HikariConfig config) {
            super(config);
        }

        int maxAtOnce() {
            return most.get();
        }

        @Override
        public Connection getConnection() throws SQLException {
            most.accumulateAndGet(wanted.incrementAndGet(), Math::max);
            Connection connection = super.getConnection();
            AtomicBoolean closed = new AtomicBoolean();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                        try {
                            return method.invoke(connection, args);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        } finally {
                            if (method.getName().equals("close") && closed.compareAndSet(false, true)) {
                                wanted.decrementAndGet();
                            }
                        }
                    });
        }
    }

    private static HikariDataSource pool(TestDatabase database, int size) {
        return new HikariDataSource(settings(database, size));
    }

    private static HikariConfig settings(TestDatabase database, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(5_000);
        return config;
    }
}

package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.doctor.PoolNeed;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
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
        try (HikariDataSource pool = pool(database, new PoolNeed(List.of(1)).minimum())) {
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
            Set<Thread> others = Thread.getAllStackTraces().keySet();
            engine.start();
            for (int i = 0; i < MESSAGES; i++) {
                String queue = "small-" + i % listeners;
                transactions.run(() -> engine.queue().enqueue(queue, "x"));
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> done.getCount() == 0);
            assertThat(taskThreads(others))
                    .as("the formula counts a backlog monitor, which runs only with an alarm, and not these three")
                    .contains("acidq-heartbeat", "acidq-node-monitor", "acidq-stall-check")
                    .hasSize(PoolNeed.TASKS - 1 + 3);
            assertThat(engine.stop(Duration.ofSeconds(10))).isTrue();
        }
    }

    /** Returns the names of the threads that run background tasks: all new threads of the engine except those with the name of a queue and the store's. */
    private static Set<String> taskThreads(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !others.contains(thread))
                .map(Thread::getName)
                .filter(name ->
                        name.startsWith("acidq-") && !name.contains("small-") && !name.equals("acidq-connections"))
                .collect(Collectors.toSet());
    }

    private static HikariDataSource pool(TestDatabase database, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }
}

package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Outcome;
import io.acidq.Recurring;
import io.acidq.Recurring.Misfire;
import io.acidq.Schedule;
import io.acidq.Tick;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A process that runs handlers until it is asked to stop. Arguments: URL, user, password, journal, workers, messages per transaction. */
final class WorkerMain {

    static final int MAX_ATTEMPTS = 4;

    /** Of the engine and of the deadlocks that handlers cause, beside those of the workers. */
    private static final int MORE_CONNECTIONS = 8;

    /** Each is late at most by the faults, and has a message for each tick all the same. */
    private static final List<Recurring> TICKS = IntStream.rangeClosed(1, 10)
            .mapToObj(n -> Recurring.message(
                            "tick " + n, Schedule.every(Duration.ofMillis(250L * (1 + n % 4))), ChaosTables.TICKS)
                    .withMisfire(Misfire.catchUp(1000)))
            .toList();

    private WorkerMain() {}

    public static void main(String[] args) throws InterruptedException {
        ParentWatch.start();
        int workers = Integer.parseInt(args[4]);
        ThreadLeaks threadLeaks = new ThreadLeaks();
        int subscriptionWorkers = Math.max(1, workers / 2);
        int subscriptions = ChaosSubscription.values().length;
        HikariDataSource pool = new DatabaseLogin(args[0], args[1], args[2])
                .pool(workers + subscriptions * subscriptionWorkers + MORE_CONNECTIONS);
        Journal journal = Journal.open(Path.of(args[3]));
        JdbcTransactions transactions = new JdbcTransactions(pool);
        int transactionSize = Integer.parseInt(args[5]);
        EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineConfig.defaults().withHeartbeat(Duration.ofMillis(300), 5))
                .telemetry(journal.telemetry())
                .listen(Listener.on(ChaosTables.QUEUE, ChaosMessage.class, new ChaosHandler(transactions, journal))
                        .withConcurrency(workers)
                        .withTransactionSize(transactionSize)
                        .withTimeout(Duration.ofSeconds(3))
                        .withInterruptOnCancel()
                        .withInterruptOnCancel()
                        .withRetry(retry(MAX_ATTEMPTS, Duration.ofMillis(200))));
        for (ChaosSubscription subscription : ChaosSubscription.values()) {
            builder.listen(Listener.onTopic(
                            ChaosSubscription.TOPIC,
                            subscription.subscription(),
                            ChaosMessage.class,
                            new ChaosHandler(transactions, journal, subscription))
                    .withConcurrency(subscriptionWorkers)
                    .withTransactionSize(transactionSize)
                    .withTimeout(Duration.ofSeconds(3))
                    .withInterruptOnCancel()
                    .withRetry(
                            subscription == ChaosSubscription.FAILING
                                    ? retry(ChaosSubscription.FAILING_MAX_ATTEMPTS, Duration.ofMillis(50))
                                    : retry(MAX_ATTEMPTS, Duration.ofMillis(200))));
        }
        TICKS.forEach(builder::recurring);
        builder.listen(Listener.on(ChaosTables.TICKS, Tick.class, (tick, delivery) -> recordTick(transactions, tick))
                .withConcurrency(1)
                .withRetry(retry(1000, Duration.ofMillis(200))));
        Engine engine = builder.build();
        CountDownLatch stopping = new CountDownLatch(1);
        Object starting = new Object();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (starting) {
                stopping.countDown();
            }
            engine.close();
            pool.close();
            journal.write(Phase.STOPPED, threadLeaks.names().toArray());
        }));
        start(engine, stopping, starting);
        stopping.await();
    }

    private static RetryPolicy retry(int maxAttempts, Duration backoff) {
        return RetryPolicy.defaults().withMaxAttempts(maxAttempts).withBackoff(Backoff.fixed(backoff));
    }

    private static Outcome recordTick(JdbcTransactions transactions, Tick tick) throws SQLException {
        try (PreparedStatement insert = transactions.connection().prepareStatement(ChaosTables.TICK)) {
            insert.setString(1, tick.name());
            insert.setString(2, tick.at().toString().replace("T", " ").replace("Z", ""));
            insert.executeUpdate();
        }
        return Outcome.done();
    }

    /** Retries until the server is available or the process is asked to stop. */
    private static void start(Engine engine, CountDownLatch stopping, Object starting) throws InterruptedException {
        while (!isStarted(engine, stopping, starting)) {
            if (stopping.await(200, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private static boolean isStarted(Engine engine, CountDownLatch stopping, Object starting) {
        synchronized (starting) {
            if (stopping.getCount() == 0) {
                return true;
            }
            try {
                engine.start();
                return true;
            } catch (RuntimeException e) {
                System.err.println("cannot start yet: " + e);
                return false;
            }
        }
    }
}

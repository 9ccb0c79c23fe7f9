package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process that runs errands until it is told to stop: URL, user, password, journal, workers, messages per transaction. */
final class WorkerMain {

    static final int MAX_ATTEMPTS = 4;

    private WorkerMain() {}

    public static void main(String[] args) throws InterruptedException {
        ParentWatch.start();
        int workers = Integer.parseInt(args[4]);
        ThreadLeaks left = new ThreadLeaks();
        HikariDataSource pool = new ProcessProtocol(args[0], args[1], args[2]).pool(workers + 8);
        Journal journal = Journal.open(Path.of(args[3]));
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Engine engine = Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineConfig.defaults().withHeartbeat(Duration.ofMillis(300), 5))
                .telemetry(new JournalTelemetry(journal))
                .listen(Listener.on(Tables.QUEUE, ChaosMessage.class, new ChaosHandler(transactions, journal))
                        .withConcurrency(workers)
                        .withTransactionSize(Integer.parseInt(args[5]))
                        .withTimeout(Duration.ofSeconds(3))
                        .withRetry(RetryPolicy.defaults()
                                .withMaxAttempts(MAX_ATTEMPTS)
                                .withBackoff(Backoff.fixed(Duration.ofMillis(200)))))
                .build();
        CountDownLatch told = new CountDownLatch(1);
        Object starting = new Object();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (starting) {
                told.countDown();
            }
            engine.close();
            pool.close();
            journal.write(Phase.STOPPED, left.names().toArray());
        }));
        begin(engine, told, starting);
        told.await();
    }

    /** The server may be away just now. What is told to stop is not started any more. */
    private static void begin(Engine engine, CountDownLatch told, Object starting) throws InterruptedException {
        while (!isBegun(engine, told, starting)) {
            if (told.await(200, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private static boolean isBegun(Engine engine, CountDownLatch told, Object starting) {
        synchronized (starting) {
            if (told.getCount() == 0) {
                return true;
            }
            try {
                engine.start();
                return true;
            } catch (RuntimeException e) {
                System.err.println("not yet: " + e);
                return false;
            }
        }
    }
}

package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariDataSource;
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

/** A process that runs errands until it is told to stop: URL, user, password, journal, workers, messages per transaction. */
final class WorkerMain {

    static final int MAX_ATTEMPTS = 4;

    private WorkerMain() {}

    public static void main(String[] args) throws InterruptedException {
        int workers = Integer.parseInt(args[4]);
        HikariDataSource pool = new Wire(args[0], args[1], args[2]).pool(workers + 8);
        Journal journal = Journal.open(Path.of(args[3]));
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Engine engine = Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineConfig.defaults().withLiveness(Duration.ofMillis(300), 5))
                .telemetry(new Witness(journal))
                .listen(Listener.on(Tables.QUEUE, Errand.class, new Runner(transactions, journal))
                        .withWorkers(workers)
                        .withTransactionSize(Integer.parseInt(args[5]))
                        .withTimeout(Duration.ofSeconds(3))
                        .withRetry(RetryPolicy.defaults()
                                .withMaxAttempts(MAX_ATTEMPTS)
                                .withBackoff(Backoff.fixed(Duration.ofMillis(200)))))
                .build();
        CountDownLatch told = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            engine.close();
            pool.close();
            told.countDown();
        }));
        begin(engine);
        told.await();
    }

    /** The server may be away just now. */
    private static void begin(Engine engine) throws InterruptedException {
        for (boolean begun = false; !begun; ) {
            try {
                engine.start();
                begun = true;
            } catch (RuntimeException e) {
                System.err.println("not yet: " + e);
                Thread.sleep(200);
            }
        }
    }
}

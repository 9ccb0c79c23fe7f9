package io.acidq.chaos.broken;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.chaos.broken.BrokenVariant.Flaw;
import io.acidq.chaos.role.ChaosHandler;
import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.ChaosTables;
import io.acidq.chaos.role.Journal;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** An engine with its own pool, journal and store, as in a process of its own. */
final class Node implements AutoCloseable {

    /** Only the scenario declares nodes dead. */
    private static final EngineConfig PATIENT = EngineConfig.defaults()
            .withHeartbeat(Duration.ofSeconds(1), 100)
            .withPolling(Duration.ofMillis(2), Duration.ofMillis(30));

    final SqlPausePoints pausePoints = new SqlPausePoints();
    final NodeFreezer freezer = new NodeFreezer();
    final Store store;
    private final HikariDataSource pool;
    private final Journal journal;
    private final Engine engine;
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    Node(HikariDataSource pool, Journal journal, Flaw flaw) {
        this.pool = pool;
        this.journal = journal;
        DataSource dataSource = pausePoints.over(pool);
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        this.store = freezer.over(flaw.over(MyBatisStore.over(dataSource, transactions), dataSource));
        ChaosHandler chaosHandler = new ChaosHandler(transactions, journal);
        this.engine = Engine.builder(store)
                .config(PATIENT)
                .telemetry(journal.telemetry())
                .telemetry(counting())
                .listen(Listener.on(ChaosTables.QUEUE, ChaosMessage.class, (message, delivery) -> {
                            starts.incrementAndGet();
                            return chaosHandler.handle(message, delivery);
                        })
                        .withConcurrency(2)
                        .withRetry(RetryPolicy.defaults()
                                .withMaxAttempts(ScenarioContext.MAX_ATTEMPTS)
                                .withBackoff(Backoff.fixed(Duration.ofMillis(1)))))
                .build();
    }

    private Telemetry counting() {
        return new Telemetry() {
            @Override
            public void finished(MessageId id, Outcome outcome, Duration took) {
                ends.incrementAndGet();
            }

            @Override
            public void fenced(MessageId id) {
                ends.incrementAndGet();
            }
        };
    }

    void start() {
        engine.start();
    }

    /** The node number. */
    int number() {
        return engine.node();
    }

    /** The number of handler starts. */
    int starts() {
        return starts.get();
    }

    /** The number of ended runs, acknowledged or fenced. */
    int ends() {
        return ends.get();
    }

    @Override
    public void close() {
        pausePoints.releaseAll();
        freezer.resume();
        engine.close();
        pool.close();
        journal.close();
    }
}

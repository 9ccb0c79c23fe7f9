package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.RetryPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with an engine that one of its messages ends: the step {@link #KILLER}. Every other step leaves its effect. */
final class CrashingEngineProcess implements AutoCloseable {

    static final long KILLER = 25;

    private final Process process;

    private CrashingEngineProcess(Process process) {
        this.process = process;
    }

    static CrashingEngineProcess start(EngineFixture engineFixture, String queue, HandlerOptions options)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingEngineProcess.class.getName(),
                        engineFixture.pool.getJdbcUrl(),
                        queue,
                        options.mode().name(),
                        Integer.toString(options.transactionSize()),
                        engineFixture.pool.getUsername(),
                        engineFixture.pool.getPassword()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new CrashingEngineProcess(process);
    }

    /** Whether it died within a minute. */
    boolean awaitExit() throws InterruptedException {
        return process.waitFor(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself: URL, queue, mode, size of a transaction, user and password are its arguments. */
    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setUsername(args[4]);
        config.setPassword(args.length > 5 ? args[5] : "");
        config.setMaximumPoolSize(12);
        HikariDataSource pool = new HikariDataSource(config);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        HandlerOptions options = HandlerOptions.defaults()
                .withMode(HandlerMode.valueOf(args[2]))
                .withTransactionSize(Integer.parseInt(args[3]));
        Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineFixture.QUICK)
                .listen(Listener.on(args[1], Step.class, (step, delivery) -> {
                            if (step.seq() == KILLER) {
                                Runtime.getRuntime().halt(137);
                            }
                            return effect(pool, transactions, step, delivery);
                        })
                        .withConcurrency(3)
                        .withOptions(options)
                        .withRetry(RetryPolicy.defaults().withMaxAttempts(1)))
                .build()
                .start();
        Thread.currentThread().join(); // until the killer comes, or the test ends it
    }

    private static Outcome effect(HikariDataSource pool, JdbcTransactions transactions, Step step, Delivery delivery)
            throws SQLException {
        if (transactions.current() != null) {
            insert(transactions.connection(), step, delivery);
        } else {
            try (Connection own = pool.getConnection()) {
                insert(own, step, delivery);
            }
        }
        return Outcome.done();
    }

    /** With the attempt in the place of the node. */
    static void insert(Connection connection, Step step, Delivery delivery) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO effect (k, seq, node) VALUES (?, ?, ?)")) {
            insert.setString(1, step.k());
            insert.setLong(2, step.seq());
            insert.setInt(3, delivery.attempt());
            insert.executeUpdate();
        }
    }
}

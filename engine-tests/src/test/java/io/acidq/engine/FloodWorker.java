package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process with a small heap and one engine for the queues of a flood. It ends at the first OutOfMemoryError. */
final class FloodWorker implements AutoCloseable {

    static final String CROWD = "crowd";
    static final String LINE = "line";
    static final String LARGE = "large";
    static final String QUIET = "quiet";

    private final Process process;

    private FloodWorker(Process process) {
        this.process = process;
    }

    static FloodWorker start(EngineFixture engineFixture) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-Xmx64m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FloodWorker.class.getName(),
                        engineFixture.pool.getJdbcUrl(),
                        engineFixture.pool.getUsername(),
                        engineFixture.pool.getPassword()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new FloodWorker(process);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As the system does it to a process that takes too much. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself: URL, user and password are its arguments. */
    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setUsername(args[1]);
        config.setPassword(args.length > 2 ? args[2] : "");
        config.setMaximumPoolSize(24);
        config.setAutoCommit(false);
        HikariDataSource pool = new HikariDataSource(config);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineFixture.QUICK)
                .listen(Listener.on(CROWD, Step.class, (step, delivery) -> effect(transactions, step, delivery))
                        .withTransactionSize(100)
                        .withConcurrency(4))
                .listen(Listener.on(LINE, Step.class, (step, delivery) -> effect(transactions, step, delivery))
                        .withConcurrency(4))
                .listen(Listener.on(
                                LARGE,
                                Step.class,
                                (step, delivery) -> effect(transactions, new Step("large", step.seq()), delivery))
                        .withTransactionSize(10)
                        .withConcurrency(4))
                .listen(Listener.on(QUIET, Step.class, (step, delivery) -> effect(transactions, step, delivery))
                        .withConcurrency(1))
                .build()
                .start();
        Thread.currentThread().join(); // until the killer comes, or the test ends it
    }

    private static Outcome effect(JdbcTransactions transactions, Step step, Delivery delivery) throws Exception {
        CrashingEngineProcess.insert(transactions.connection(), step, delivery);
        return Outcome.done();
    }
}

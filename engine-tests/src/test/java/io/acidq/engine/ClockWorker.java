package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import io.acidq.engine.EngineTests.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import io.acidq.testservers.FakeClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A process whose wall clock the test moves. The test's own process works beside it, with the same listeners. */
final class ClockWorker extends EngineProcess {

    /** Each fifth message of a key fails once, and keeps its place. */
    static final String ORDERED = "ordered";
    /** Runs steps whose number is the microsecond at which they are due. */
    static final String DUE = "due";
    /** Schedules a step and takes two message keys. */
    static final String SENDING = "sending";
    /** Fails at each first attempt, behind a breaker. */
    static final String GUARDED = "guarded";
    /** Fails always. */
    static final String DOOMED = "doomed";
    /** Message keys stay taken for an hour. */
    static final String KEYED = "keyed";
    /** Message keys are free again after a second. */
    static final String BRIEF = "brief";

    static final Duration LATER = Duration.ofSeconds(1);
    static final EngineConfig CONFIG = EngineTests.QUICK
            .withHeartbeat(Duration.ofMillis(500), 8)
            .withDeduplicationWindow(Duration.ofHours(1))
            .withRetention(Retention.defaults().withDeadLetters(Duration.ofHours(1)))
            .withQueue(BRIEF, QueueConfig.defaults().withDeduplicationWindow(Duration.ofSeconds(1)));

    ClockWorker(HikariDataSource database, FakeClock clock) {
        super(ClockWorker.class, 128, clock.environment(), database);
    }

    public static void main(String[] args) throws Exception {
        HikariDataSource pool = pool(args, 30);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Store store = MyBatisStore.over(pool, transactions);
        MessageQueue queue = Engine.builder(store).config(CONFIG).build().queue();
        listening(Engine.builder(store), transactions, queue).build().start();
        int in = System.in.read(); // returns only when the test has ended
        Runtime.getRuntime().halt(in);
    }

    static EngineBuilder listening(EngineBuilder builder, JdbcTransactions transactions, MessageQueue queue) {
        RetryPolicy soon =
                RetryPolicy.defaults().withMaxAttempts(50).withBackoff(Backoff.fixed(Duration.ofMillis(100)));
        return builder.config(CONFIG)
                .listen(Listener.on(ORDERED, Step.class, (step, delivery) -> {
                            failOnce(step.seq() % 5 == 0, delivery);
                            return effect(transactions.connection(), step, delivery);
                        })
                        .withRetry(soon))
                .listen(Listener.on(
                        DUE, Step.class, (step, delivery) -> effect(transactions.connection(), step, delivery)))
                .listen(Listener.on(SENDING, Step.class, (step, delivery) -> {
                    send(transactions.connection(), queue, step);
                    return effect(transactions.connection(), step, delivery);
                }))
                .listen(Listener.on(GUARDED, Step.class, (step, delivery) -> {
                            failOnce(true, delivery);
                            return effect(transactions.connection(), step, delivery);
                        })
                        .withBreaker(
                                Breaker.defaults().withFailureRate(0.5, 4, 2).withRecovery(Duration.ofMillis(300), 2))
                        .withRetry(soon))
                .listen(Listener.on(DOOMED, Step.class, (step, delivery) -> {
                            throw new IllegalStateException("fails always");
                        })
                        .withRetry(soon.withMaxAttempts(1)))
                .listen(Listener.on(
                        KEYED, Step.class, (step, delivery) -> effect(transactions.connection(), step, delivery)))
                .listen(Listener.on(
                        BRIEF, Step.class, (step, delivery) -> effect(transactions.connection(), step, delivery)));
    }

    private static void failOnce(boolean fails, Delivery delivery) {
        if (fails && delivery.attempt() == 1) {
            throw new IllegalStateException("fails once");
        }
    }

    private static void send(Connection connection, MessageQueue queue, Step step) throws SQLException {
        long due = micros(connection) + LATER.toNanos() / 1000;
        queue.enqueue(DUE, new Step("later " + step.seq(), due), options().delay(LATER));
        queue.enqueue(KEYED, new Step("again", step.seq()), options().key("taken"));
        queue.enqueue(BRIEF, new Step("brief", step.seq()), options().key("brief " + step.seq()));
    }

    /** The time of the server's clock. */
    static long micros(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Records the difference between the clocks of this process and of the server, in seconds. */
    private static Outcome effect(Connection connection, Step step, Delivery delivery) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (k, seq, tag, off_by, at)"
                + " VALUES (?, ?, ?, ROUND(? / 1000 - UNIX_TIMESTAMP(SYSDATE(6))), SYSDATE(6))")) {
            insert.setString(1, step.k());
            insert.setLong(2, step.seq());
            insert.setInt(3, delivery.attempt());
            insert.setLong(4, System.currentTimeMillis());
            insert.executeUpdate();
        }
        return Outcome.done();
    }
}

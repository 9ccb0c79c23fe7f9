package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import io.acidq.EnqueueOptions;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of a running server: killed connections and statements, deadlocks, lock waits, DDL and unusual settings. */
class DatabaseFaultIT extends FreshEngineTests {

    private static final String Q = "faulty";

    private final RecordedTelemetry telemetry = new RecordedTelemetry();
    private long placed;

    /** Ends a connection just before its n-th statement in one role. */
    private final class ConnectionKiller implements SqlHook.SqlListener {

        private final AtomicInteger calls = new AtomicInteger();
        private volatile String role = "";
        private volatile int at;
        private volatile boolean hasKilled;

        void arm(String newRole, int newAt) {
            role = "";
            at = newAt;
            hasKilled = false;
            calls.set(0);
            role = newRole;
        }

        boolean disarm() {
            role = "";
            return hasKilled;
        }

        @Override
        public void before(Connection raw, String sql) throws SQLException {
            if (role.isEmpty() || !role.equals(roleOf(Thread.currentThread().getName()))) {
                return;
            }
            boolean looksOnly = role.equals("claim") && calls.get() == 0 && !sql.contains("claimed_to");
            if (looksOnly || calls.incrementAndGet() != at) {
                return;
            }
            hasKilled = true;
            try (Statement statement = raw.createStatement();
                    var row = statement.executeQuery("SELECT CONNECTION_ID()")) {
                row.next();
                sql("KILL " + row.getLong(1));
            }
        }
    }

    /** Returns the role of a thread by its name. */
    private static String roleOf(String thread) {
        return thread.equals("acidq-poll-" + Q)
                ? "claim"
                : thread.startsWith("acidq-" + Q + "-") ? "handler" : thread.equals("caller") ? "caller" : "";
    }

    @Test
    void runsEachMessageOnceThoughTheConnectionIsKilledBeforeAnyOfItsStatements() throws Exception {
        ConnectionKiller connectionKiller = new ConnectionKiller();
        reopen(config -> {}, pool -> SqlHook.over(pool, connectionKiller));
        listen(1);
        int messages = 0;
        int points = 0;
        for (String role : List.of("caller", "claim", "handler")) {
            boolean struck = true;
            for (int at = 1; struck; at++) {
                connectionKiller.arm(role, at);
                enqueueAsOften(++messages);
                int sent = messages;
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> effects() >= sent);
                struck = connectionKiller.disarm();
                points += struck ? 1 : 0;
            }
        }
        assertThat(points).as("statements at which a connection was killed").isGreaterThan(12);
        everythingWasDoneOnce(messages);
    }

    /** Each statement is killed once, COMMIT too, until a message runs without a kill. */
    @Test
    void runsEachMessageOnceThoughAnyOfItsStatementsIsKilledWhileItRuns() throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        QueryKiller kill = new QueryKiller(database, DatabaseFaultIT::roleOf);
        closeDatabase();
        open(database, config -> {}, pool -> SqlHook.over(pool, kill));
        listen(1);
        int messages = 0;
        int before = -1;
        while (kill.killed().size() > before) {
            before = kill.killed().size();
            enqueueAsOften(++messages);
            awaitDrained();
        }
        assertThat(kill.killed())
                .contains("caller: INSERT acidq_key", "caller: INSERT acidq_message", "caller: COMMIT")
                .contains("claim: SELECT acidq_lane", "claim: SELECT acidq_message", "claim: UPDATE acidq_message")
                .contains("claim: UPDATE acidq_lane", "claim: COMMIT")
                .contains("handler: INSERT effect", "handler: DELETE acidq_message", "handler: COMMIT")
                .as("requeues after such a failure")
                .contains("handler: SELECT acidq_message", "handler: UPDATE acidq_message");
        everythingWasDoneOnce(messages);
    }

    /** Enqueues on a thread with the name of the caller's role. */
    private void enqueueAsOften(int message) throws InterruptedException {
        AtomicBoolean sent = new AtomicBoolean();
        Thread caller = new Thread(
                () -> {
                    try {
                        enqueueUntilItSucceeds(Q, new Step("m", message), "m" + message);
                        sent.set(true);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                "caller");
        caller.start();
        caller.join();
        assertThat(sent).isTrue();
    }

    @Test
    void runsEachMessageOnceWhileStatementsAreKilledAtRandom() throws Exception {
        for (int i = 0; i < 2; i++) {
            engine(on(Q, (step, delivery) -> {
                        slowEffect(step, delivery.attempt());
                        return Outcome.done();
                    })
                    .withConcurrency(3)
                    .withRetry(ONE_ATTEMPT));
        }
        AtomicInteger killed = new AtomicInteger();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            if (rows("acidq_message") < 20) {
                place(40);
            }
            strings("SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                            + " AND command = 'Query' AND id <> CONNECTION_ID() ORDER BY RAND() LIMIT 1")
                    .forEach(id -> killed.addAndGet(killQuery(id)));
            return killed.get() >= 30 && telemetry.requeued.size() >= 5;
        });
        everythingWasDoneOnce(placed);
    }

    private int killQuery(String id) {
        try {
            sql("KILL QUERY " + id);
            return 1;
        } catch (IllegalStateException e) { // the statement has ended
            return 0;
        }
    }

    /** An effect with a statement long enough to be killed while it runs. */
    private void slowEffect(Step step, int attempt) throws SQLException {
        try (Statement statement = transactions.connection().createStatement()) {
            statement
                    .executeQuery("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
                            + " SELECT COUNT(*) FROM n a JOIN n b")
                    .close();
        }
        insertEffect(step, attempt);
    }

    @Test
    void makesProgressAndNoDeadLettersUnderManyDeadlocks() throws Exception {
        accounts();
        engine(on(Q, (step, delivery) -> {
                    boolean up = step.seq() % 2 == 0;
                    pay(up ? 1 : 2);
                    insertEffect(step, delivery.attempt());
                    pay(up ? 2 : 1);
                    return Outcome.done();
                })
                .withConcurrency(8)
                .withRetry(ONE_ATTEMPT));
        place(150);
        awaitDrained();
        assertThat(telemetry.requeued).as("deadlocks").isNotEmpty();
        assertThat(count("SELECT SUM(paid) FROM account")).isEqualTo(300);
        everythingWasDoneOnce(150);
    }

    @Test
    void rollsTheWholeTransactionBackWhenAHandlerWaitsTooLongForALock() throws Exception {
        reopen(config -> inSession(config, "innodb_lock_wait_timeout=1"), UnaryOperator.identity());
        accounts();
        try (Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE account SET paid = paid WHERE id = 1");
            engine(on(Q, (step, delivery) -> {
                        insertEffect(step, delivery.attempt());
                        pay(1);
                        return Outcome.done();
                    })
                    .withRetry(ONE_ATTEMPT));
            place(1);
            awaitUntil(() -> !telemetry.requeued.isEmpty());
            assertThat(effects()).isZero();
            other.rollback();
        }
        awaitDrained();
        assertThat(count("SELECT SUM(paid) FROM account")).isEqualTo(1);
        everythingWasDoneOnce(1);
    }

    /** An ALTER that waits for an old reader blocks all later statements on the table. */
    @Test
    void continuesAfterAnAlterOfItsTablesUnderLoad() throws Exception {
        listen(3);
        AtomicBoolean enough = new AtomicBoolean();
        AtomicLong sent = new AtomicLong();
        Future<?> load = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                enqueueUnchecked(sent.incrementAndGet());
            }
        });
        awaitUntil(() -> effects() > 20);
        try (Connection reader = pool.getConnection();
                Statement old = reader.createStatement();
                Connection operator = pool.getConnection();
                Statement alter = operator.createStatement()) {
            reader.setAutoCommit(false);
            old.executeQuery("SELECT id FROM acidq_message LIMIT 1").close();
            alter.execute("SET lock_wait_timeout = 1");
            long began = System.nanoTime();
            assertThat(codeOf(() -> alter.execute("ALTER TABLE acidq_message ADD COLUMN note VARCHAR(20) NULL")))
                    .isEqualTo(1205);
            long then = sent.get();
            await().atMost(Duration.ofSeconds(10)).until(() -> sent.get() > then + 20);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
            reader.rollback();
            discardDatabase();
            alter.execute("ALTER TABLE acidq_message ADD COLUMN note VARCHAR(20) NULL");
        }
        long then = sent.get();
        await().atMost(Duration.ofSeconds(10)).until(() -> sent.get() > then + 20);
        enough.set(true);
        load.get(30, TimeUnit.SECONDS);
        awaitDrained();
        everythingWasDoneOnce(sent.get());
    }

    private void enqueueUnchecked(long seq) {
        try {
            enqueue(Q, new Step("m", seq));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A newer version has added columns, and serves a queue that the older one does not know. */
    @Test
    void worksBesideANewerVersionAndLeavesItTheQueuesThatItDoesNotKnow() throws Exception {
        for (String table : List.of("acidq_message", "acidq_scheduled", "acidq_dead", "acidq_key", "acidq_queue")) {
            sql("ALTER TABLE " + table
                    + " ADD COLUMN newer VARCHAR(20) NULL, ADD COLUMN newest INT NOT NULL DEFAULT 7");
        }
        Engine older = listen(2);
        place(20);
        enqueue("new.queue", new Step("new", 1));
        enqueue(Q, new Step("behind", 1), options().orderingKey("marked"));
        awaitRows("effect", 21);
        place(20);
        awaitRows("effect", 41);
        assertThat(rows("acidq_message WHERE owner = 0 AND attempts = 0"))
                .as("messages of the unknown queue")
                .isEqualTo(1);
        Engine newer = engine(
                on("new.queue", (step, delivery) -> effect(step, delivery.attempt())),
                on(Q, (step, delivery) -> effect(step, delivery.attempt())).withRetry(ONE_ATTEMPT));
        place(20);
        awaitDrained();
        assertThat(newer.node()).isGreaterThan(older.node());
        assertThat(strings("SELECT k FROM effect WHERE k = 'new'")).hasSize(1);
        assertThat(effects()).isEqualTo(62);
        assertThat(rows("acidq_dead")).isZero();
    }

    @Test
    void neitherRunsNorOvertakesAMarkerThatOnlyANewerVersionKnows() throws Exception {
        enqueueOrdered(Q, "marked", 1);
        enqueueOrdered(Q, "marked", 2);
        sql("UPDATE acidq_message SET kind = 99 ORDER BY id LIMIT 1");
        enqueueOrdered(Q, "other", 1);
        listen(2);
        awaitRows("effect", 1);
        place(20); // each of them shows that lanes are claimed from
        awaitRows("effect", 21);
        assertThat(strings("SELECT CONCAT(kind, '/', owner, '/', attempts) FROM acidq_message ORDER BY id"))
                .containsExactly("99/0/0", "0/0/0");
        sql("UPDATE acidq_message SET kind = 0");
        awaitDrained();
        assertThat(strings("SELECT seq FROM effect WHERE k = 'marked' ORDER BY id"))
                .containsExactly("1", "2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transaction_isolation='REPEATABLE-READ'",
                "transaction_isolation='READ-COMMITTED'",
                "transaction_isolation='SERIALIZABLE'",
                "sql_mode='ANSI_QUOTES'",
                "sql_mode=''",
                "autocommit=0"
            })
    void worksWithTheSessionSettingsOfTheServer(String setting) throws Exception {
        reopen(config -> inSession(config, setting), UnaryOperator.identity());
        engine(on(Q, (step, delivery) -> {
                    effect(step, delivery.attempt());
                    if (step.k().equals("fails") || (step.k().equals("flaky") && delivery.attempt() == 1)) {
                        throw new IllegalStateException(step.k());
                    }
                    return Outcome.done();
                })
                .withConcurrency(2)
                .withRetry(
                        RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Backoff.fixed(Duration.ofMillis(20)))));
        for (long seq = 1; seq <= 3; seq++) {
            enqueue(Q, new Step("ordered", seq), options().orderingKey("o").key("o" + seq));
        }
        assertThat(enqueue(Q, new Step("ordered", 1), options().key("o1")).isDuplicate())
                .isTrue();
        enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(100)));
        enqueue(Q, new Step("flaky", 1), options().orderingKey("f"));
        enqueue(Q, new Step("fails", 1));
        awaitUntil(() -> deadLetters().list(Q, 10).size() == 1);
        awaitDrained();
        assertThat(strings("SELECT CONCAT(k, seq, '/', tag) FROM effect ORDER BY k, id"))
                .containsExactly("flaky1/2", "later1/1", "ordered1/1", "ordered2/1", "ordered3/1");
        assertThat(rows("acidq_node WHERE state = 'ALIVE' AND heartbeats > 0"))
                .as("heartbeats that others see")
                .isEqualTo(1);
        assertThat(telemetry.declaredDead).isEmpty();
    }

    /** At REPEATABLE READ it would lock the gap at the end of the lane, and block inserts there. */
    @Test
    void doesNotBlockProducersByAnAcknowledgementThatMatchesNoRow() throws Exception {
        reopen(config -> inSession(config, "transaction_isolation='REPEATABLE-READ'"), UnaryOperator.identity());
        EnqueueOptions key = options().orderingKey("k"); // so that all are in one lane
        MessageId id = enqueue(Q, new Step("k", 1), key).id();
        int queue = (int) count("SELECT queue FROM acidq_message");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        boolean hit = transactions.inNew(() -> {
            boolean found = store.claims().ackIfClaimed(new Claim(queue, id.lane(), 1_000_000, id.uid(), 1, 1));
            thread.submit(() -> enqueue(Q, new Step("k", 2), key)).get(10, TimeUnit.SECONDS);
            return found;
        });
        thread.shutdown();
        assertThat(hit).isFalse();
        listen(1);
        awaitDrained();
        everythingWasDoneOnce(2);
    }

    /** MariaDB from 11.6.2 on does so by default: an update of a row that has changed since the snapshot fails with error 1020. */
    @Test
    void retriesASnapshotConflictWithoutUsingUpAnAttempt() throws Exception {
        boolean isolated = kind == ServerKind.MARIADB;
        reopen(
                config -> inSession(config, isolated ? "innodb_snapshot_isolation=ON" : "autocommit=1"),
                UnaryOperator.identity());
        accounts();
        AtomicInteger starts = new AtomicInteger();
        engine(on("snapshot", (step, delivery) -> {
                    insertEffect(step, delivery.attempt());
                    payInASnapshot(starts.incrementAndGet() == 1);
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT));
        enqueue("snapshot", new Step("m", 1));
        everythingWasDoneOnce(1);
        assertThat(starts).as("MySQL knows no such conflict").hasValue(isolated ? 2 : 1);
        assertThat(count("SELECT SUM(paid) FROM account")).isEqualTo(1);
    }

    /** The application's own transaction, at the server's default isolation. */
    private void payInASnapshot(boolean othersToo) throws SQLException {
        try (Connection own = pool.getConnection();
                Statement statement = own.createStatement()) {
            own.setAutoCommit(false);
            statement.executeQuery("SELECT paid FROM account WHERE id = 1").close();
            if (othersToo) {
                sql("UPDATE account SET paid = paid WHERE id = 1");
                sql("UPDATE account SET paid = paid + 1 WHERE id = 1");
                sql("UPDATE account SET paid = paid - 1 WHERE id = 1");
            }
            statement.executeUpdate("UPDATE account SET paid = paid + 1 WHERE id = 1");
            own.commit();
        }
    }

    static void inSession(HikariConfig config, String setting) {
        config.setJdbcUrl(config.getJdbcUrl() + "&sessionVariables=" + setting);
    }

    private Engine listen(int workers) {
        return engine(on(Q, (step, delivery) -> effect(step, delivery.attempt()))
                .withConcurrency(workers)
                .withRetry(ONE_ATTEMPT));
    }

    Engine engine(Listener<?>... listeners) {
        return engine(e -> {
            e.telemetry(telemetry);
            for (Listener<?> listener : listeners) {
                e.listen(listener);
            }
            return e;
        });
    }

    private Outcome effect(Step step, int attempt) throws SQLException {
        insertEffect(step, attempt);
        return Outcome.done();
    }

    void accounts() {
        sql("CREATE TABLE account (id INT PRIMARY KEY, paid INT NOT NULL) ENGINE=InnoDB");
        sql("INSERT INTO account VALUES (1, 0), (2, 0)");
    }

    private void pay(int account) throws SQLException {
        try (Statement statement = transactions.connection().createStatement()) {
            statement.executeUpdate("UPDATE account SET paid = paid + 1 WHERE id = " + account);
        }
    }

    private void place(int count) throws Exception {
        List<NewMessage> messages = LongStream.rangeClosed(placed + 1, placed + count)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        placed += count;
        enqueueAll(Q, messages);
    }

    void everythingWasDoneOnce(long messages) {
        awaitDrained();
        assertThat(strings("SELECT mark FROM acidq_dead")).isEmpty();
        assertEachEffectOnce(messages);
        assertNoAttemptUsedUp();
        assertThat(telemetry.declaredDead).isEmpty();
    }

    /** Fails with an error of the database. */
    private interface Failing {
        void run() throws SQLException;
    }

    private static int codeOf(Failing statement) {
        try {
            statement.run();
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }
}

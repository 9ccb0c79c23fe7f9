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
import io.acidq.engine.EngineFixture.Step;
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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server that goes on running does to those who work on it: kills, deadlocks, waits, DDL, odd settings. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class DatabaseFaultIT {

    private static final String Q = "faulty";
    private static final RetryPolicy ONE_ATTEMPT = RetryPolicy.defaults().withMaxAttempts(1);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ServerKind kind;
    private final RecordedTelemetry recordedTelemetry = new RecordedTelemetry();
    private EngineFixture engineFixture;
    private long placed;

    DatabaseFaultIT(ServerKind kind) {
        this.kind = kind;
    }

    @AfterEach
    void close() {
        engineFixture.close();
    }

    /** What must not be told when only connections and statements fail, and what may. */
    private static final class RecordedTelemetry extends DeadNodeRecorder {

        final Queue<Throwable> requeued = new ConcurrentLinkedQueue<>();
        final Queue<MessageId> fenced = new ConcurrentLinkedQueue<>();

        @Override
        public void requeued(MessageId id, Throwable cause) {
            requeued.add(cause);
        }

        @Override
        public void fenced(MessageId id) {
            fenced.add(id);
        }
    }

    /** Ends a connection just before its n-th statement in one role. */
    private static final class ConnectionKiller implements SqlHook.SqlListener {

        private final EngineFixture admin;
        private final AtomicInteger calls = new AtomicInteger();
        private volatile String role = "";
        private volatile int at;
        private volatile boolean hasKilled;

        ConnectionKiller(EngineFixture admin) {
            this.admin = admin;
        }

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
                admin.sql("KILL " + row.getLong(1));
            }
        }
    }

    /** What the thread of this name does: callers, claimers and workers have threads of their own. */
    private static String roleOf(String thread) {
        return thread.equals("acidq-poll-" + Q)
                ? "claim"
                : thread.startsWith("acidq-" + Q + "-") ? "handler" : thread.equals("caller") ? "caller" : "";
    }

    @Test
    void doesEverythingOnceAtWhicheverOfItsStatementsAConnectionIsKilled() throws Exception {
        try (EngineFixture admin = new EngineFixture(kind)) {
            ConnectionKiller connectionKiller = new ConnectionKiller(admin);
            open(config -> {}, pool -> SqlHook.over(pool, connectionKiller));
            listen(1);
            int messages = 0;
            int points = 0;
            for (String role : List.of("caller", "claim", "handler")) {
                boolean struck = true;
                for (int at = 1; struck; at++) {
                    connectionKiller.arm(role, at);
                    enqueueAsOften(++messages);
                    int sent = messages;
                    await().atMost(LONG)
                            .pollInterval(Duration.ofMillis(5))
                            .until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") >= sent);
                    struck = connectionKiller.disarm();
                    points += struck ? 1 : 0;
                }
            }
            assertThat(points).as("statements at which a connection was killed").isGreaterThan(12);
            everythingWasDoneOnce(messages);
        }
    }

    /** Once each, COMMIT too, until a message goes through unharmed. */
    @Test
    void doesEverythingOnceWhicheverOfItsStatementsIsKilledWhileItRuns() throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        QueryKiller kill = new QueryKiller(database, DatabaseFaultIT::roleOf);
        engineFixture = new EngineFixture(database, config -> {}, pool -> SqlHook.over(pool, kill));
        listen(1);
        int messages = 0;
        int before = -1;
        while (kill.killed().size() > before) {
            before = kill.killed().size();
            enqueueAsOften(++messages);
            engineFixture.drained();
        }
        assertThat(kill.killed())
                .contains("caller: INSERT acidq_key", "caller: INSERT acidq_message", "caller: COMMIT")
                .contains("claim: SELECT acidq_lane", "claim: SELECT acidq_message", "claim: UPDATE acidq_message")
                .contains("claim: UPDATE acidq_lane", "claim: COMMIT")
                .contains("handler: INSERT effect", "handler: DELETE acidq_message", "handler: COMMIT")
                .as("the giving back of what had failed so")
                .contains("handler: SELECT acidq_message", "handler: UPDATE acidq_message");
        everythingWasDoneOnce(messages);
    }

    /** On a thread that those who kill know by its name. */
    private void enqueueAsOften(int message) throws InterruptedException {
        AtomicBoolean sent = new AtomicBoolean();
        Thread caller = new Thread(
                () -> {
                    try {
                        engineFixture.enqueueAsOften(Q, new Step("m", message), "m" + message);
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
    void doesEverythingOnceWhileItsStatementsAreKilledAtRandom() throws Exception {
        open(config -> {}, UnaryOperator.identity());
        for (int i = 0; i < 2; i++) {
            engine(Listener.on(Q, Step.class, (step, delivery) -> {
                        slowEffect(step, delivery.attempt());
                        return Outcome.done();
                    })
                    .withConcurrency(3)
                    .withRetry(ONE_ATTEMPT));
        }
        AtomicInteger killed = new AtomicInteger();
        await().atMost(LONG).pollInterval(Duration.ofMillis(5)).until(() -> {
            if (engineFixture.count("SELECT COUNT(*) FROM acidq_message") < 20) {
                place(40);
            }
            engineFixture
                    .strings("SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                            + " AND command = 'Query' AND id <> CONNECTION_ID() ORDER BY RAND() LIMIT 1")
                    .forEach(id -> killed.addAndGet(killQuery(id)));
            return killed.get() >= 30 && recordedTelemetry.requeued.size() >= 5;
        });
        everythingWasDoneOnce(placed);
    }

    private int killQuery(String id) {
        try {
            engineFixture.sql("KILL QUERY " + id);
            return 1;
        } catch (IllegalStateException e) { // gone by itself
            return 0;
        }
    }

    /** Long enough to be met while it runs. */
    private void slowEffect(Step step, int attempt) throws SQLException {
        try (Statement statement = engineFixture.transactions.connection().createStatement()) {
            statement
                    .executeQuery("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
                            + " SELECT COUNT(*) FROM n a JOIN n b")
                    .close();
        }
        engineFixture.effect(step, attempt);
    }

    @Test
    void makesProgressAndNoDeadLettersInAStormOfDeadlocks() throws Exception {
        open(config -> {}, UnaryOperator.identity());
        accounts();
        engine(Listener.on(Q, Step.class, (step, delivery) -> {
                    boolean up = step.seq() % 2 == 0;
                    pay(up ? 1 : 2);
                    engineFixture.effect(step, delivery.attempt());
                    pay(up ? 2 : 1);
                    return Outcome.done();
                })
                .withConcurrency(8)
                .withRetry(ONE_ATTEMPT));
        place(150);
        engineFixture.drained();
        assertThat(recordedTelemetry.requeued).as("deadlocks").isNotEmpty();
        assertThat(engineFixture.count("SELECT SUM(paid) FROM account")).isEqualTo(300);
        everythingWasDoneOnce(150);
    }

    @Test
    void rollsTheWholeTransactionBackWhenAHandlerWaitsTooLongForALock() throws Exception {
        open(config -> inSession(config, "innodb_lock_wait_timeout=1"), UnaryOperator.identity());
        accounts();
        try (Connection other = engineFixture.pool.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE account SET paid = paid WHERE id = 1");
            engine(Listener.on(Q, Step.class, (step, delivery) -> {
                        engineFixture.effect(step, delivery.attempt());
                        pay(1);
                        return Outcome.done();
                    })
                    .withRetry(ONE_ATTEMPT));
            place(1);
            await().atMost(LONG).until(() -> !recordedTelemetry.requeued.isEmpty());
            assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();
            other.rollback();
        }
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT SUM(paid) FROM account")).isEqualTo(1);
        everythingWasDoneOnce(1);
    }

    /** An ALTER that waits for an old reader holds up everybody who comes after it. */
    @Test
    void waitsNoLongerThanAnAlterOfItsTablesUnderLoadAndGoesOn() throws Exception {
        open(config -> {}, UnaryOperator.identity());
        listen(3);
        AtomicBoolean enough = new AtomicBoolean();
        AtomicLong sent = new AtomicLong();
        Future<?> load = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                enqueueUnchecked(sent.incrementAndGet());
            }
        });
        await().atMost(LONG).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") > 20);
        try (Connection reader = engineFixture.pool.getConnection();
                Statement old = reader.createStatement();
                Connection operator = engineFixture.pool.getConnection();
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
            engineFixture.discardDatabase();
            alter.execute("ALTER TABLE acidq_message ADD COLUMN note VARCHAR(20) NULL");
        }
        long then = sent.get();
        await().atMost(Duration.ofSeconds(10)).until(() -> sent.get() > then + 20);
        enough.set(true);
        load.get(30, TimeUnit.SECONDS);
        engineFixture.drained();
        everythingWasDoneOnce(sent.get());
    }

    private void enqueueUnchecked(long seq) {
        try {
            engineFixture.enqueue(Q, new Step("m", seq), options());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A newer AcidQ has added columns, knows one kind of marker more, and serves a queue of which this one knows nothing. */
    @Test
    void worksBesideANewerOneAndLeavesItWhatItDoesNotKnow() throws Exception {
        open(config -> {}, UnaryOperator.identity());
        for (String table : List.of("acidq_message", "acidq_scheduled", "acidq_dead", "acidq_key", "acidq_queue")) {
            engineFixture.sql("ALTER TABLE " + table
                    + " ADD COLUMN newer VARCHAR(20) NULL, ADD COLUMN newest INT NOT NULL DEFAULT 7");
        }
        Engine older = listen(2);
        place(20);
        engineFixture.enqueue("new.queue", new Step("new", 1), options());
        engineFixture.enqueue(Q, new Step("behind", 1), options().orderingKey("marked"));
        await().atMost(LONG).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 21);
        place(20);
        await().atMost(LONG).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 41);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = 0 AND attempts = 0"))
                .as("nobody here knows its queue")
                .isEqualTo(1);
        Engine newer = engine(
                Listener.on("new.queue", Step.class, (step, delivery) -> effect(step, delivery.attempt())),
                Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery.attempt()))
                        .withRetry(ONE_ATTEMPT));
        place(20);
        engineFixture.drained();
        assertThat(newer.node()).isGreaterThan(older.node());
        assertThat(engineFixture.strings("SELECT k FROM effect WHERE k = 'new'"))
                .hasSize(1);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(62);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
    }

    @Test
    void neitherRunsNorOvertakesAMarkerThatOnlyANewerOneKnows() throws Exception {
        open(config -> {}, UnaryOperator.identity());
        engineFixture.enqueue(Q, new Step("marked", 1), options().orderingKey("marked"));
        engineFixture.enqueue(Q, new Step("marked", 2), options().orderingKey("marked"));
        engineFixture.sql("UPDATE acidq_message SET kind = 99 ORDER BY id LIMIT 1");
        engineFixture.enqueue(Q, new Step("other", 1), options().orderingKey("other"));
        listen(2);
        await().atMost(LONG).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 1);
        place(20); // each of them shows that lanes are claimed from
        await().atMost(LONG).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 21);
        assertThat(engineFixture.strings(
                        "SELECT CONCAT(kind, '/', owner, '/', attempts) FROM acidq_message ORDER BY id"))
                .containsExactly("99/0/0", "0/0/0");
        engineFixture.sql("UPDATE acidq_message SET kind = 0");
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT seq FROM effect WHERE k = 'marked' ORDER BY id"))
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
    void worksWithWhateverTheServerSetsForItsSessions(String setting) throws Exception {
        open(config -> inSession(config, setting), UnaryOperator.identity());
        engine(Listener.on(Q, Step.class, (step, delivery) -> {
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
            engineFixture.enqueue(
                    Q, new Step("ordered", seq), options().orderingKey("o").key("o" + seq));
        }
        assertThat(engineFixture
                        .enqueue(Q, new Step("ordered", 1), options().key("o1"))
                        .isDuplicate())
                .isTrue();
        engineFixture.enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(100)));
        engineFixture.enqueue(Q, new Step("flaky", 1), options().orderingKey("f"));
        engineFixture.enqueue(Q, new Step("fails", 1), options());
        await().atMost(LONG)
                .until(() -> engineFixture.sender().deadLetters().list(Q, 10).size() == 1);
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT CONCAT(k, seq, '/', node) FROM effect ORDER BY k, id"))
                .containsExactly("flaky1/2", "later1/1", "ordered1/1", "ordered2/1", "ordered3/1");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_node WHERE state = 'ALIVE' AND heartbeats > 0"))
                .as("heartbeats that others see")
                .isEqualTo(1);
        assertThat(recordedTelemetry.declaredDead).isEmpty();
    }

    @Test
    void rollsBackTheRunOfAMessageThatAnOperatorDeletesMeanwhile() throws Exception {
        open(config -> {}, UnaryOperator.identity());
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        engine(Listener.on(Q, Step.class, (step, delivery) -> {
            effect(step, delivery.attempt());
            inside.countDown();
            go.await();
            return Outcome.done();
        }));
        MessageId id =
                engineFixture.enqueue(Q, new Step("deleted", 1), options()).id();
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engineFixture.sql("DELETE FROM acidq_message")).isEqualTo(1);
        go.countDown();
        await().atMost(LONG).until(() -> recordedTelemetry.fenced.contains(id));
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();
    }

    /** At REPEATABLE READ it would lock the gap at the lane's end, and with it whoever inserts there. */
    @Test
    void letsProducersPassAnAcknowledgementThatHitsNothing() throws Exception {
        open(config -> inSession(config, "transaction_isolation='REPEATABLE-READ'"), UnaryOperator.identity());
        EnqueueOptions key = options().orderingKey("k"); // so that all are in one lane
        MessageId id = engineFixture.enqueue(Q, new Step("k", 1), key).id();
        int queue = (int) engineFixture.count("SELECT queue FROM acidq_message");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        boolean hit = engineFixture.transactions.inNew(() -> {
            boolean found =
                    engineFixture.store.claims().ackIfClaimed(new Claim(queue, id.lane(), 1_000_000, id.uid(), 1, 1));
            thread.submit(() -> engineFixture.enqueue(Q, new Step("k", 2), key)).get(10, TimeUnit.SECONDS);
            return found;
        });
        thread.shutdown();
        assertThat(hit).isFalse();
        listen(1);
        engineFixture.drained();
        everythingWasDoneOnce(2);
    }

    /** MariaDB from 11.6.2 on does so by default: who writes what has changed since his snapshot is refused with error 1020. */
    @Test
    void retriesWithoutBurningAnAttemptWhatASnapshotConflictHasRolledBack() throws Exception {
        boolean isolated = kind == ServerKind.MARIADB;
        open(
                config -> inSession(config, isolated ? "innodb_snapshot_isolation=ON" : "autocommit=1"),
                UnaryOperator.identity());
        accounts();
        AtomicInteger starts = new AtomicInteger();
        engine(Listener.on("snapshot", Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.attempt());
                    payInASnapshot(starts.incrementAndGet() == 1);
                    return Outcome.done();
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(1)));
        engineFixture.enqueue("snapshot", new Step("m", 1), options());
        everythingWasDoneOnce(1);
        assertThat(starts).as("MySQL knows no such conflict").hasValue(isolated ? 2 : 1);
        assertThat(engineFixture.count("SELECT SUM(paid) FROM account")).isEqualTo(1);
    }

    /** The application's own transaction, at the server's default isolation. */
    private void payInASnapshot(boolean othersToo) throws SQLException {
        try (Connection own = engineFixture.pool.getConnection();
                Statement statement = own.createStatement()) {
            own.setAutoCommit(false);
            statement.executeQuery("SELECT paid FROM account WHERE id = 1").close();
            if (othersToo) {
                engineFixture.sql("UPDATE account SET paid = paid WHERE id = 1");
                engineFixture.sql("UPDATE account SET paid = paid + 1 WHERE id = 1");
                engineFixture.sql("UPDATE account SET paid = paid - 1 WHERE id = 1");
            }
            statement.executeUpdate("UPDATE account SET paid = paid + 1 WHERE id = 1");
            own.commit();
        }
    }

    void open(Consumer<HikariConfig> tuning, UnaryOperator<DataSource> between) {
        engineFixture = new EngineFixture(kind, tuning, between);
    }

    static void inSession(HikariConfig config, String setting) {
        config.setJdbcUrl(config.getJdbcUrl() + "&sessionVariables=" + setting);
    }

    private Engine listen(int workers) {
        return engine(Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery.attempt()))
                .withConcurrency(workers)
                .withRetry(ONE_ATTEMPT));
    }

    Engine engine(Listener<?>... listeners) {
        return engineFixture.engine(e -> {
            e.telemetry(recordedTelemetry);
            for (Listener<?> listener : listeners) {
                e.listen(listener);
            }
            return e;
        });
    }

    private Outcome effect(Step step, int attempt) throws SQLException {
        engineFixture.effect(step, attempt);
        return Outcome.done();
    }

    void accounts() {
        engineFixture.sql("CREATE TABLE account (id INT PRIMARY KEY, paid INT NOT NULL) ENGINE=InnoDB");
        engineFixture.sql("INSERT INTO account VALUES (1, 0), (2, 0)");
    }

    private void pay(int account) throws SQLException {
        try (Statement statement = engineFixture.transactions.connection().createStatement()) {
            statement.executeUpdate("UPDATE account SET paid = paid + 1 WHERE id = " + account);
        }
    }

    private void place(int count) throws Exception {
        List<NewMessage> messages = LongStream.rangeClosed(placed + 1, placed + count)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        placed += count;
        engineFixture.transactions.call(() -> engineFixture.sender().queue().enqueueAll(Q, messages));
    }

    void everythingWasDoneOnce(long messages) {
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT mark FROM acidq_dead")).isEmpty();
        assertThat(engineFixture.strings("SELECT seq FROM effect"))
                .as("each effect once")
                .hasSize((int) messages)
                .doesNotHaveDuplicates();
        assertThat(engineFixture.strings("SELECT DISTINCT node FROM effect"))
                .as("no attempt was burnt")
                .containsExactly("1");
        assertThat(recordedTelemetry.declaredDead).isEmpty();
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

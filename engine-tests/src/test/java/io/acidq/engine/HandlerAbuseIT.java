package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 53 and 56 of docs/en/proof.md: what handlers do to their connection, and application code that throws wherever the engine calls it. */
class HandlerAbuseIT extends SharedEngineTests {

    private static final String Q = "abused";
    private static final RetryPolicy TWICE =
            RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ZERO, 1, Duration.ZERO);

    /** What the next message must find as it was. */
    private static final String SESSION =
            "SELECT CONCAT_WS(' ', @@SESSION.transaction_isolation, @@SESSION.sql_mode, @@SESSION.time_zone,"
                    + " @@SESSION.innodb_lock_wait_timeout, @@SESSION.group_concat_max_len, @@SESSION.autocommit,"
                    + " DATABASE())";

    /** Case 53: the call is refused, and the transaction rolled back although the handler swallows the exception. The second attempt succeeds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit()",
                "rollback()",
                "close()",
                "abort()",
                "setAutoCommit(true)",
                "setCatalog(mysql)",
                "COMMIT",
                "SET autocommit = 1",
                "SET SESSION sql_mode = '', autocommit = 1",
                "USE mysql",
                "CREATE TABLE misuse (id INT)"
            })
    void rollsBackAHandlerThatEndsItsTransactionOrChangesItsDatabase(String misuse) throws Exception {
        place(2);
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    insertEffect(step, delivery.attempt());
                    if (step.seq() == 1 && delivery.attempt() == 1) {
                        try {
                            misuseConnection(misuse);
                        } catch (RuntimeException refused) {
                            refusals.add(String.valueOf(refused.getMessage()));
                        }
                    }
                    return Outcome.done();
                })
                .withRetry(TWICE)
                .withConcurrency(1)));
        assertThat(refusals).hasSize(1).allMatch(text -> text.contains("inside a transaction that AcidQ owns"));
        assertThat(strings("SELECT CONCAT(seq, '/', tag) FROM effect")).containsExactlyInAnyOrder("1/2", "2/1");
    }

    /** Runs statements that end the transaction without showing it in their text. */
    private enum HiddenEnd {
        PROCEDURE(c -> execute(c, "CALL commit_inside()")),
        ESCAPED_CALL(c -> {
            try (CallableStatement call = c.prepareCall("{call commit_inside()}")) {
                call.execute();
            }
        }),
        BATCH(c -> {
            try (PreparedStatement call = c.prepareStatement("CALL commit_inside()")) {
                call.addBatch();
                call.executeBatch();
            }
        }),
        PROCEDURE_THAT_WRITES_AFTER_IT(c -> execute(c, "CALL commit_and_write()")),
        PROCEDURE_THAT_FAILS_AFTER_IT(c -> execute(c, "CALL commit_and_fail()")),
        PROCEDURE_THAT_ROLLS_BACK(c -> execute(c, "CALL roll_back_inside()")),
        FETCHED_ROWS(c -> {
            Statement open = c.createStatement();
            open.setFetchSize(1);
            open.executeQuery("CALL commit_and_read()").next(); // left open: its rows may still be on their way
        }),
        TEXT_OF_A_STATEMENT(c -> {
            execute(c, "PREPARE hidden FROM 'COMMIT'");
            execute(c, "EXECUTE hidden");
        }),
        AUTOCOMMIT_BY_TEXT(c -> {
            execute(c, "PREPARE hidden FROM 'SET autocommit = 1'");
            execute(c, "EXECUTE hidden");
        }),
        AUTOCOMMIT_IN_A_PROCEDURE(c -> execute(c, "CALL commit_each()")),
        EXECUTE_IMMEDIATE(c -> execute(c, "EXECUTE IMMEDIATE 'COMMIT'"), ServerKind.MARIADB),
        BLOCK(c -> execute(c, "BEGIN NOT ATOMIC COMMIT; END"), ServerKind.MARIADB),
        CONDITION(c -> execute(c, "IF 1 = 1 THEN COMMIT; END IF"), ServerKind.MARIADB);

        private final OnConnection work;
        private final Set<ServerKind> servers;

        HiddenEnd(OnConnection work, ServerKind... servers) {
            this.work = work;
            this.servers = servers.length == 0 ? EnumSet.allOf(ServerKind.class) : Set.of(servers);
        }

        interface OnConnection {
            void run(Connection connection) throws SQLException;
        }

        private static void execute(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    /** Case 53: what was written before is committed already. The message fails, names the statement, and nothing that came later commits. */
    @ParameterizedTest
    @EnumSource
    void failsAHandlerOneOfWhoseStatementsEndsTheTransactionWithoutShowingIt(HiddenEnd end) throws Exception {
        createProceduresThatEndTransactions();
        place(2);
        AtomicInteger refused = new AtomicInteger();
        boolean isKnown = end.servers.contains(kind);
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    if (step.seq() == 1 && isKnown) {
                        insertEffect(new Step("before", 0), delivery.attempt());
                        try {
                            end.work.run(transactions.connection());
                        } catch (SQLException | QueueMisuseException swallowed) {
                            refused.incrementAndGet();
                        }
                        if (end != HiddenEnd.FETCHED_ROWS) {
                            insertEffect(step, delivery.attempt());
                        }
                    } else {
                        insertEffect(step, delivery.attempt());
                    }
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT)
                .withConcurrency(1)));

        if (!isKnown) {
            assertThat(effects()).isEqualTo(2);
            return;
        }
        assertThat(strings("SELECT seq FROM effect WHERE k <> 'before'")).containsExactly("2");
        assertThat(deadLetters().list(Q, 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("QueueMisuseException")
                        .contains("has ended the transaction that AcidQ owns"));
    }

    /** Such a statement is otherwise free to do what it wants, also in a caller's transaction. */
    @Test
    void letsPassAProcedureThatEndsNoTransaction() throws Exception {
        createProceduresThatEndTransactions();
        transactions.run(() -> {
            execute("CALL write_inside()");
            place(5);
            execute("SAVEPOINT mine");
            execute("CALL write_inside()");
            execute("ROLLBACK TO mine");
        });
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    Connection connection = transactions.connection();
                    try (CallableStatement call = connection.prepareCall("{call write_inside()}")) {
                        for (int i = 0; i < 3; i++) {
                            call.execute();
                        }
                    }
                    Savepoint mine = connection.setSavepoint("mine");
                    execute("CALL write_inside()");
                    connection.rollback(mine);
                    return Outcome.done();
                })
                .withTransactionSize(5)
                .withRetry(ONE_ATTEMPT)));

        assertThat(effects()).isEqualTo(1 + 5 * 3);
    }

    @Test
    void refusesACallersTransactionThatAProcedureEnds() throws Exception {
        createProceduresThatEndTransactions();

        assertThatThrownBy(() -> transactions.run(() -> {
                    place(1);
                    execute("CALL commit_inside()");
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("CALL commit_inside() has ended the transaction that AcidQ owns");
    }

    private void createProceduresThatEndTransactions() {
        Map.of(
                        "commit_inside", "COMMIT",
                        "roll_back_inside", "ROLLBACK",
                        "commit_each", "SET autocommit = 1",
                        "write_inside", "INSERT INTO effect (k, seq, tag) VALUES ('p', 0, 0)",
                        "commit_and_write", "BEGIN COMMIT; INSERT INTO effect (k, seq, tag) VALUES ('p', 3, 0); END",
                        "commit_and_fail", "BEGIN COMMIT; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END",
                        "commit_and_read", "BEGIN COMMIT; SELECT 1 UNION ALL SELECT 2; END")
                .forEach((name, body) -> {
                    sql("DROP PROCEDURE IF EXISTS " + name);
                    sql("CREATE PROCEDURE " + name + "() " + body);
                });
    }

    /** The acknowledgement finds no row, but no other node has the message: without an attempt it would run for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM acidq_message",
                "UPDATE acidq_message SET owner = 0",
                "UPDATE acidq_message SET claim_no = claim_no + 1"
            })
    void countsAnAttemptOfAHandlerThatChangesTheRowOfItsMessage(String change) throws Exception {
        place(1);
        AtomicInteger runs = new AtomicInteger();
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    runs.incrementAndGet();
                    insertEffect(step, delivery.attempt());
                    execute(change);
                    return Outcome.done();
                })
                .withRetry(TWICE)));

        assertThat(runs).hasValue(2);
        assertThat(effects()).isZero();
        assertThat(deadLetters().list(Q, 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("the handler of queue 'abused' (")
                        .contains("has deleted or changed the row of a message that it runs"));
    }

    /** The row of the other message is locked until the rollback, and its run is acknowledged then. */
    @Test
    void failsOnlyTheMessageWhoseHandlerDeletesTheRowsOfTheQueue() throws Exception {
        place(10);
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    insertEffect(step, delivery.attempt());
                    if (step.seq() == 5) {
                        execute("DELETE FROM acidq_message");
                    }
                    return Outcome.done();
                })
                .withTransactionSize(4)
                .withConcurrency(1)
                .withRetry(TWICE)));

        assertThat(effects()).isEqualTo(9);
        assertThat(deadLetters().list(Q, 10)).hasSize(1);
    }

    /** Case 53: the change is allowed, and undone before the next message. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET SESSION sql_mode = 'ANSI_QUOTES'",
                "SET time_zone = '+05:00'",
                "SET @@session.innodb_lock_wait_timeout = 7",
                "SET SESSION group_concat_max_len = 99",
                "setTransactionIsolation(SERIALIZABLE)"
            })
    void restoresTheSessionForTheNextMessage(String change) throws Exception {
        Set<String> before = ConcurrentHashMap.newKeySet();
        place(5);
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    before.add(session());
                    return Outcome.done();
                })
                .withConcurrency(1)));
        assertThat(before).hasSize(1);

        Queue<String> sessions = new ConcurrentLinkedQueue<>();
        AtomicInteger changes = new AtomicInteger();
        place(20);
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    sessions.add(session());
                    insertEffect(step, delivery.attempt());
                    if (step.seq() % 5 == 0) {
                        misuseConnection(change);
                        changes.incrementAndGet();
                    }
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT)
                .withConcurrency(1)));
        assertThat(changes).hasValue(4);
        assertThat(sessions).hasSize(20);
        assertThat(Set.copyOf(sessions)).isEqualTo(before);
        assertThat(effects()).isEqualTo(20);
    }

    /** Case 53: the driver or the server refuses only the acknowledgement of that message. */
    @Test
    void failsOnlyTheMessageThatMakesItsConnectionReadOnly() throws Exception {
        place(10);
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    if (step.seq() == 3) {
                        transactions.connection().setReadOnly(true);
                    } else {
                        insertEffect(step, delivery.attempt());
                    }
                    return Outcome.done();
                })
                .withRetry(TWICE)
                .withConcurrency(1)));
        assertThat(effects()).isEqualTo(9);
        assertThat(rows("acidq_dead"))
                .as("MariaDB's driver does not forward setReadOnly to the server")
                .isLessThanOrEqualTo(1);
        assertThat(deadLetters().list(Q, 10))
                .allSatisfy(
                        dead -> assertThat(dead.error())
                                .contains(
                                        "a message could not be acknowledged in the transaction of the handler of queue 'abused' ("));
    }

    private void misuseConnection(String misuse) throws SQLException {
        Connection connection = transactions.connection();
        switch (misuse) {
            case "commit()" -> connection.commit();
            case "rollback()" -> connection.rollback();
            case "close()" -> connection.close();
            case "abort()" -> connection.abort(Runnable::run);
            case "setAutoCommit(true)" -> connection.setAutoCommit(true);
            case "setCatalog(mysql)" -> connection.setCatalog("mysql");
            case "setTransactionIsolation(SERIALIZABLE)" ->
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            default -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(misuse);
                }
            }
        }
    }

    /** Without the isolation level where it is that of the pool or the engine: a worker keeps its session at READ COMMITTED. */
    private String session() throws SQLException {
        try (Statement statement = transactions.connection().createStatement();
                ResultSet row = statement.executeQuery(SESSION)) {
            row.next();
            return row.getString(1).replaceFirst("^(REPEATABLE-READ|READ-COMMITTED) ", "");
        }
    }

    /** A guard that permits every start and throws at every second call. */
    private static final class ThrowingGuard implements Guard, Guard.Entry {

        private final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger thrown = new AtomicInteger();

        private void throwEverySecondTime() {
            if (calls.incrementAndGet() % 2 == 0) {
                thrown.incrementAndGet();
                throw new AssertionError("a guard of somebody's");
            }
        }

        @Override
        public Entry enter() {
            throwEverySecondTime();
            return this;
        }

        @Override
        public int freeCapacity() {
            throwEverySecondTime();
            return Integer.MAX_VALUE;
        }

        @Override
        public Duration untilChange() {
            throwEverySecondTime();
            return Duration.ofHours(1);
        }

        @Override
        public GuardState state() {
            throwEverySecondTime();
            return new GuardState(
                    GuardState.Kind.BREAKER, "moody", GuardState.Status.LETS_THROUGH, 1, Duration.ofHours(1));
        }

        @Override
        public void succeeded(Duration took) {
            throwEverySecondTime();
        }

        @Override
        public void failed(Duration took, Throwable failure) {
            throwEverySecondTime();
        }

        @Override
        public void requeued(Duration took, Throwable failure) {
            throwEverySecondTime();
        }

        @Override
        public void unused() {
            throwEverySecondTime();
        }
    }

    /** Case 56: each error of such a guard ended a worker, until none was left. */
    @Test
    void keepsItsWorkersThoughEachMethodOfAGuardThrowsErrors() throws Exception {
        ThrowingGuard guard = new ThrowingGuard();
        place(20);
        Engine engine = work(e -> e.listen(on(Q, (step, delivery) -> {
                    insertEffect(step, delivery.attempt());
                    if (step.seq() % 10 == 0 && delivery.attempt() == 1) {
                        throw new AssertionError("a handler of somebody's");
                    }
                    return Outcome.done();
                })
                .withRetry(TWICE)
                .withConcurrency(2)
                .withBreaker((name, nanoTime) -> guard)));
        assertThat(engine.isRunning()).isFalse();
        assertThat(guard.thrown).hasPositiveValue();
        assertThat(effects()).isEqualTo(20);
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(20);
    }

    /** Case 56: the error reaches the caller of enqueue before any SQL, and fails an attempt like any other exception. */
    @Test
    void countsAnErrorOfTheCodecAsAFailedAttempt() throws Exception {
        Codec codec = new Codec() {
            private final Codec json = new JacksonCodec();

            @Override
            public Encoded encode(Object payload) {
                if (payload.equals("unwritable")) {
                    throw new StackOverflowError("a codec of somebody's");
                }
                return json.encode(payload);
            }

            @Override
            public <T> T decode(Encoded encoded, Class<T> as) {
                T payload = json.decode(encoded, as);
                if (((Step) payload).seq() == 2) {
                    throw new StackOverflowError("a codec of somebody's");
                }
                return payload;
            }
        };
        Engine sender = Engine.builder(store).codec(codec).build();
        transactions.run(() -> {
            assertThatThrownBy(() -> sender.queue().enqueue(Q, "unwritable")).isInstanceOf(StackOverflowError.class);
            IntStream.rangeClosed(1, 3).forEach(i -> sender.queue().enqueue(Q, new Step("a", i)));
        });
        work(e -> e.codec(codec)
                .listen(on(Q, this::effectOfAttempt).withRetry(TWICE).withConcurrency(1)));
        assertThat(effects()).isEqualTo(2);
        DeadLetter dead = deadLetters().list(Q, 10).get(0);
        assertThat(dead.error()).contains("StackOverflowError");
        assertThat(dead.attempts()).isEqualTo(2);
    }

    /** An exception whose {@code getCause} throws. */
    private static final class Closed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Closed() {
            super("closed");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new StackOverflowError("pretended");
        }
    }

    /** Case 56: the message was requeued without counting the attempt, and ran forever. */
    @Test
    void countsAFailureWhoseGetCauseThrows() throws Exception {
        place(1);
        work(e -> e.listen(on(Q, (step, delivery) -> {
                    throw new Closed();
                })
                .withRetry(TWICE)));
        List<DeadLetter> dead = deadLetters().list(Q, 10);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).error()).contains("closed");
        assertThat(dead.get(0).attempts()).isEqualTo(2);
    }

    private void place(int messages) throws Exception {
        transactions.run(() -> IntStream.rangeClosed(1, messages).forEach(i -> queue().enqueue(Q, new Step("a", i))));
    }

    /** Runs an engine until no message is left, and stops it. */
    private Engine work(UnaryOperator<EngineBuilder> with) {
        try (Engine engine = engine(with)) {
            awaitDrained();
            assertThat(engine.isRunning()).isTrue();
            assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();
            return engine;
        }
    }
}

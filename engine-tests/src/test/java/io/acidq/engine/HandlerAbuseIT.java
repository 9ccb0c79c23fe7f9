package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 53 and 56: what handlers do to their connection, and application code that throws wherever the engine calls it. */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class HandlerAbuseIT {

    private static final String Q = "abused";
    private static final RetryPolicy TWICE =
            RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ZERO, 1, Duration.ZERO);

    /** What the next message must find as it was. */
    private static final String SESSION =
            "SELECT CONCAT_WS(' ', @@SESSION.transaction_isolation, @@SESSION.sql_mode, @@SESSION.time_zone,"
                    + " @@SESSION.innodb_lock_wait_timeout, @@SESSION.group_concat_max_len, @@SESSION.autocommit, DATABASE())";

    @Parameter
    private ServerKind kind;

    private EngineFixture engineFixture;

    @BeforeParameterizedClassInvocation
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void clear() {
        engineFixture.sql("DELETE FROM effect");
        engineFixture.sql("DELETE FROM acidq_dead");
        engineFixture.sql("DELETE FROM acidq_message");
    }

    @AfterParameterizedClassInvocation
    void close() {
        engineFixture.close();
    }

    /** Case 53: refused, and rolled back though the handler swallows the refusal; the second attempt behaves. */
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
                "CREATE TABLE mischief (id INT)"
            })
    void rollsBackAHandlerThatEndsItsTransactionOrLeavesItsDatabase(String mischief) throws Exception {
        place(2);
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        work(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.attempt());
                    if (step.seq() == 1 && delivery.attempt() == 1) {
                        try {
                            misuseConnection(mischief);
                        } catch (RuntimeException refused) {
                            refusals.add(String.valueOf(refused.getMessage()));
                        }
                    }
                    return Outcome.done();
                })
                .withRetry(TWICE)
                .withConcurrency(1)));
        assertThat(refusals).hasSize(1).allMatch(text -> text.contains("inside a transaction that AcidQ owns"));
        assertThat(engineFixture.strings("SELECT CONCAT(seq, '/', node) FROM effect"))
                .containsExactlyInAnyOrder("1/2", "2/1");
    }

    /** Case 53: allowed, but the next message does not meet it. */
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
    void givesTheNextMessageASessionAsItWas(String change) throws Exception {
        Set<String> before = ConcurrentHashMap.newKeySet();
        place(5);
        work(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    before.add(session());
                    return Outcome.done();
                })
                .withConcurrency(1)));
        assertThat(before).hasSize(1);

        Queue<String> sessions = new ConcurrentLinkedQueue<>();
        AtomicInteger changes = new AtomicInteger();
        place(20);
        work(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    sessions.add(session());
                    engineFixture.effect(step, delivery.attempt());
                    if (step.seq() % 5 == 0) {
                        misuseConnection(change);
                        changes.incrementAndGet();
                    }
                    return Outcome.done();
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(1))
                .withConcurrency(1)));
        assertThat(changes).hasValue(4);
        assertThat(sessions).hasSize(20);
        assertThat(Set.copyOf(sessions)).isEqualTo(before);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(20);
    }

    /** Case 53: its own acknowledgement is refused by the driver or the server, and nobody else's is. */
    @Test
    void failsAloneWhenItMakesItsConnectionReadOnly() throws Exception {
        place(10);
        work(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (step.seq() == 3) {
                        engineFixture.transactions.connection().setReadOnly(true);
                    } else {
                        engineFixture.effect(step, delivery.attempt());
                    }
                    return Outcome.done();
                })
                .withRetry(TWICE)
                .withConcurrency(1)));
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(9);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_dead"))
                .as("MariaDB's driver asks no server, and tells it nothing")
                .isLessThanOrEqualTo(1);
    }

    private void misuseConnection(String mischief) throws SQLException {
        Connection connection = engineFixture.transactions.connection();
        switch (mischief) {
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
                    statement.execute(mischief);
                }
            }
        }
    }

    /** Without the level where it is the pool's or the engine's own: a worker that goes on keeps its session at READ COMMITTED. */
    private String session() throws SQLException {
        try (Statement statement = engineFixture.transactions.connection().createStatement();
                ResultSet row = statement.executeQuery(SESSION)) {
            row.next();
            return row.getString(1).replaceFirst("^(REPEATABLE-READ|READ-COMMITTED) ", "");
        }
    }

    /** Lets everything through, and throws at every other call of each of its methods. */
    private static final class ThrowingGuard implements Guard, Guard.Entry {

        private final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger thrown = new AtomicInteger();

        private void mood() {
            if (calls.incrementAndGet() % 2 == 0) {
                thrown.incrementAndGet();
                throw new AssertionError("a guard of somebody's");
            }
        }

        @Override
        public Entry enter() {
            mood();
            return this;
        }

        @Override
        public int freeCapacity() {
            mood();
            return Integer.MAX_VALUE;
        }

        @Override
        public Duration untilChange() {
            mood();
            return Duration.ofHours(1);
        }

        @Override
        public GuardState state() {
            mood();
            return new GuardState(
                    GuardState.Kind.BREAKER, "moody", GuardState.Status.LETS_THROUGH, 1, Duration.ofHours(1));
        }

        @Override
        public void succeeded(Duration took) {
            mood();
        }

        @Override
        public void failed(Duration took, Throwable failure) {
            mood();
        }

        @Override
        public void requeued(Duration took, Throwable cause) {
            mood();
        }

        @Override
        public void unused() {
            mood();
        }
    }

    /** Case 56: such a guard took one worker after the other away, until none was left. */
    @Test
    void keepsItsWorkersThoughAGuardThrowsErrorsWhereverItIsAsked() throws Exception {
        ThrowingGuard guard = new ThrowingGuard();
        place(20);
        Engine engine = work(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.attempt());
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
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(20);
        assertThat(engineFixture.count("SELECT COUNT(DISTINCT seq) FROM effect"))
                .isEqualTo(20);
    }

    /** Case 56: before any SQL of an enqueue; of a run it is a failure like any other. */
    @Test
    void countsACodecThatThrowsErrors() throws Exception {
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
        Engine sender = Engine.builder(engineFixture.store).codec(codec).build();
        engineFixture.transactions.run(() -> {
            assertThatThrownBy(() -> sender.queue().enqueue(Q, "unwritable")).isInstanceOf(StackOverflowError.class);
            IntStream.rangeClosed(1, 3).forEach(i -> sender.queue().enqueue(Q, new Step("a", i)));
        });
        work(e -> e.codec(codec)
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                            engineFixture.effect(step, delivery.attempt());
                            return Outcome.done();
                        })
                        .withRetry(TWICE)
                        .withConcurrency(1)));
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(2);
        DeadLetter dead = engineFixture.sender().deadLetters().list(Q, 10).get(0);
        assertThat(dead.mark()).contains("StackOverflowError");
        assertThat(dead.attempts()).isEqualTo(2);
    }

    /** A failure that does not even tell its cause. */
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

    /** Case 56: it was given back without counting, and ran for ever. */
    @Test
    void countsAFailureWhoseCauseThrows() throws Exception {
        place(1);
        work(e -> e.listen(Listener.<Step>on(Q, Step.class, (step, delivery) -> {
                    throw new Closed();
                })
                .withRetry(TWICE)));
        List<DeadLetter> dead = engineFixture.sender().deadLetters().list(Q, 10);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).mark()).contains("closed");
        assertThat(dead.get(0).attempts()).isEqualTo(2);
    }

    private void place(int messages) throws Exception {
        engineFixture.transactions.run(() -> IntStream.rangeClosed(1, messages)
                .forEach(i -> engineFixture.sender().queue().enqueue(Q, new Step("a", i))));
    }

    /** Lets an engine work until nothing is left, and stops it. */
    private Engine work(UnaryOperator<EngineBuilder> with) {
        try (Engine engine = engineFixture.engine(with)) {
            engineFixture.drained();
            assertThat(engine.isRunning()).isTrue();
            assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();
            return engine;
        }
    }
}

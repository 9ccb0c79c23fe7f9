package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an outside reviewer broke: ends that can not be written, hostile texts and listeners, failures that the caller swallows. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ReviewFindingsIT {

    private static final String Q = "mishaps";
    private static final RetryPolicy ONCE = RetryPolicy.defaults().withMaxAttempts(1);

    private final ServerKind kind;
    private EngineFixture engineFixture;

    ReviewFindingsIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void close() {
        engineFixture.close();
    }

    /** The key was freed in the node when the dead letter ran into a lock: the follower committed first, and the head ran again behind it. */
    @Test
    void startsNoFollowerWhileTheEndOfItsHeadCanNotBeWritten() throws Exception {
        Queue<Long> runs = new ConcurrentLinkedQueue<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        place("head", 3);
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void taskFailed(String task, Throwable cause) {
                        failing.countDown();
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                            runs.add(step.seq());
                            if (step.seq() == 1) {
                                inside.countDown();
                                locked.await();
                                return Outcome.dead("bad address");
                            }
                            return effect(step, delivery);
                        })
                        .withConcurrency(4)));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        try (Connection other = engineFixture.pool.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT id FROM acidq_message ORDER BY id LIMIT 1 FOR UPDATE");
            locked.countDown();
            assertThat(failing.await(30, TimeUnit.SECONDS)).isTrue();
            other.rollback();
        }
        engineFixture.drained();
        assertThat(runs.stream().filter(seq -> seq != 1)).containsExactly(2L, 3L);
        assertThat(List.copyOf(runs).indexOf(2L))
                .as("after every run of the head")
                .isGreaterThan(List.copyOf(runs).lastIndexOf(1L));
        assertThat(dead()).extracting(DeadLetter::mark).containsExactly("bad address");
    }

    /** The first end of a transaction that failed kept the others from being tried, and their keys were freed all the same. */
    @Test
    void startsNoFollowerOfAnyMessageWhoseEndCameAfterOneThatCouldNotBeWritten() throws Exception {
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        List<String> keys = List.of("a", "b", "c");
        engineFixture.sql(
                "INSERT INTO acidq_queue (name, lanes, created_at) VALUES ('" + Q + "', 1, UTC_TIMESTAMP(6))");
        engineFixture.sql(
                "INSERT INTO acidq_lane (queue, lane) SELECT id, 0 FROM acidq_queue"); // one lane: one claim takes all
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void taskFailed(String task, Throwable cause) {
                        failing.countDown();
                    }
                })
                .listen(Listener.onBatch(Q, Step.class, 10, items -> {
                            if (!items.get(0).payload().k().equals("warm")) {
                                sizes.add(items.size());
                                inside.countDown();
                                locked.await();
                            }
                            return items.stream()
                                    .map(i -> {
                                        runs.add(i.payload().k() + i.payload().seq());
                                        return i.payload().seq() == 1
                                                        && keys.contains(
                                                                i.payload().k())
                                                ? Outcome.dead("first")
                                                : Outcome.done();
                                    })
                                    .toList();
                        })
                        .withConcurrency(1)));
        place("warm", 60); // so that the engine knows that handlers are quick, and claims several messages of a key
        engineFixture.drained();
        engineFixture.transactions.run(() -> {
            for (String key : keys) {
                place(key, 2); // joins this transaction
            }
        });
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(sizes).as("the heads run in one transaction").containsExactly(3);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0"))
                .as("their followers wait in the node")
                .isEqualTo(6);
        try (Connection other = engineFixture.pool.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT id FROM acidq_message WHERE owner <> 0 FOR UPDATE");
            locked.countDown();
            assertThat(failing.await(30, TimeUnit.SECONDS)).isTrue();
            other.rollback();
        }
        engineFixture.drained();
        List<String> order = List.copyOf(runs);
        assertThat(keys)
                .allSatisfy(key -> assertThat(order.indexOf(key + 2)).isGreaterThan(order.lastIndexOf(key + 1)));
        assertThat(dead()).hasSize(3);
    }

    @Test
    void takesAnOutcomeWithoutACause() throws Exception {
        engineFixture.engine(e -> e.listen(Listener.on(
                        Q,
                        Step.class,
                        (step, delivery) -> step.seq() == 1
                                ? Outcome.dead(new IllegalStateException().getMessage())
                                : Outcome.retryAfter(Duration.ZERO, null))
                .withRetry(ONCE)));
        place("a", 2);
        await().atMost(Duration.ofSeconds(30)).until(() -> dead().size() == 2);
        assertThat(dead()).allSatisfy(letter -> assertThat(letter.mark()).contains(Outcome.NO_CAUSE));
    }

    /** An exception that can not even be turned into a text. */
    static final class Unspeakable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new StackOverflowError("pretended");
        }
    }

    @Test
    void countsAFailureThatCanNotBePutIntoWords() throws Exception {
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (Step step, Delivery delivery) -> {
                    throw new Unspeakable();
                })
                .withRetry(ONCE)));
        place("a", 1);
        await().atMost(Duration.ofSeconds(30)).until(() -> dead().size() == 1);
        assertThat(dead().get(0).mark()).contains("Unspeakable");
    }

    /** Otherwise such a message would be given back and run for ever. */
    @Test
    void makesADeadLetterOfAMessageWhoseOutcomeCanNotBeWritten() throws Exception {
        Engine engine = Engine.builder(refusing(engineFixture.store, "unwritable"))
                .config(EngineFixture.QUICK)
                .listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.dead("unwritable")))
                .build();
        try (engine) {
            engine.start();
            place("a", 1);
            await().atMost(Duration.ofSeconds(30)).until(() -> dead().size() == 1);
        }
        assertThat(dead().get(0).mark()).contains("could not be written", "IllegalArgumentException");
    }

    @Test
    void outlivesTelemetryThatThrowsErrors() throws Exception {
        Telemetry hostile = (Telemetry) Proxy.newProxyInstance(
                ReviewFindingsIT.class.getClassLoader(), new Class<?>[] {Telemetry.class}, (proxy, method, args) -> {
                    throw new AssertionError("metrics are down");
                });
        Engine engine = engineFixture.engine(e -> e.telemetry(hostile)
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                            effect(step, delivery);
                            if (step.seq() % 2 == 0) {
                                throw new IllegalStateException("every other one");
                            }
                            return Outcome.done();
                        })
                        .withRetry(ONCE)));
        place("a", 20);
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(10);
        assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void leavesNoKeyBehindWhenAMessageCanNotBeInsertedAndTheCallerCommits() throws Exception {
        refuse("refused");
        engineFixture.transactions.run(() -> {
            assertThatThrownBy(() -> engineFixture
                            .sender()
                            .queue()
                            .enqueue(Q, "refused", options().key("k")))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("enqueue to '" + Q + "'", "by order");
        });
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_key")).isZero();
        engineFixture.sql("DROP TRIGGER refusing");
        Enqueued again = engineFixture.enqueue(Q, "refused", options().key("k"));
        assertThat(again.isDuplicate()).isFalse();
    }

    @Test
    void enqueuesAllOrNoneAlsoWhenTheCallerSwallowsTheFailureAndCommits() throws Exception {
        refuse("refused");
        List<NewMessage> messages = LongStream.rangeClosed(1, 1200)
                .mapToObj(i -> new NewMessage(
                        i == 1100 ? "refused" : "taken " + i, options().key("k" + i)))
                .toList();
        engineFixture.transactions.run(() -> {
            engineFixture.effect(new Step("before", 1), 0);
            assertThatThrownBy(() -> engineFixture.sender().queue().enqueueAll(Q, messages))
                    .isInstanceOf(QueueMisuseException.class);
            engineFixture.effect(new Step("after", 1), 0);
        });
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_key")).isZero();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isZero();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(2);
    }

    @Test
    void saysWhatToDoOnAConnectionThatIsReadOnly() throws Exception {
        place("known", 1); // so that the queue is there
        HikariConfig config = new HikariConfig();
        engineFixture.pool.copyStateTo(config);
        config.setReadOnly(true);
        try (HikariDataSource readOnly = new HikariDataSource(config)) {
            JdbcTransactions transactions = new JdbcTransactions(readOnly);
            Engine engine =
                    Engine.builder(MyBatisStore.over(readOnly, transactions)).build();
            assertThatThrownBy(() -> transactions.call(() -> engine.queue().enqueue(Q, "refused", options())))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("enqueue to '" + Q + "'", "read-only", "setReadOnly(false)");
        }
    }

    private void refuse(String payload) {
        engineFixture.sql(
                "CREATE TRIGGER refusing BEFORE INSERT ON acidq_message FOR EACH ROW BEGIN IF NEW.payload = '\""
                        + payload + "\"' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'by order'; END IF; END");
    }

    /** The same store, whose dead letters may not have this cause. */
    private static Store refusing(Store store, String cause) {
        return ClaimStoreHook.of(store, (call, args) -> {
            if (call.equals("deadLetterIfClaimed") && cause.equals(args[1])) {
                throw new IllegalArgumentException("this cause can not be written");
            }
        });
    }

    private List<DeadLetter> dead() {
        return engineFixture.sender().deadLetters().list(Q, 100);
    }

    private Outcome effect(Step step, Delivery delivery) throws SQLException {
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }

    private void place(String key, int messages) throws Exception {
        engineFixture.transactions.call(() -> engineFixture
                .sender()
                .queue()
                .enqueueAll(
                        Q,
                        LongStream.rangeClosed(1, messages)
                                .mapToObj(seq -> new NewMessage(
                                        new Step(key, seq), options().orderingKey(key)))
                                .toList()));
    }
}

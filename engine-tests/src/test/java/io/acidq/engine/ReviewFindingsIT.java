package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.config.Listener;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.QueueStore;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Defects that an external review found: outcomes that cannot be written, exceptions and listeners that throw in turn, and failures that the caller swallows. */
@AnyServer(ServerKind.MYSQL)
class ReviewFindingsIT extends FreshEngineTests {

    private static final String Q = "mishaps";

    /** The node released the key when the dead letter waited for a lock: the follower committed first, and the head ran again after it. */
    @Test
    void startsNoFollowerWhileTheOutcomeOfItsHeadCannotBeWritten() throws Exception {
        Queue<Long> runs = new ConcurrentLinkedQueue<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        place("head", 3);
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void taskFailed(String task, Throwable failure) {
                        failing.countDown();
                    }
                })
                .listen(on(Q, (step, delivery) -> {
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
        try (Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT id FROM acidq_message ORDER BY id LIMIT 1 FOR UPDATE");
            locked.countDown();
            assertThat(failing.await(30, TimeUnit.SECONDS)).isTrue();
            other.rollback();
        }
        awaitDrained();
        assertThat(runs.stream().filter(seq -> seq != 1)).containsExactly(2L, 3L);
        assertThat(List.copyOf(runs).indexOf(2L))
                .as("after every run of the head")
                .isGreaterThan(List.copyOf(runs).lastIndexOf(1L));
        assertThat(dead()).extracting(DeadLetter::error).containsExactly("bad address");
    }

    /** When the first outcome of a failed transaction could not be written, the others were not tried, and the node released their keys. */
    @Test
    void startsNoFollowerWhileAnyOutcomeOfABatchCannotBeWritten() throws Exception {
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        List<String> keys = List.of("a", "b", "c");
        sql("INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (" + QueueStore.numberOf(Q) + ", '" + Q
                + "', 1, UTC_TIMESTAMP(6))");
        sql("INSERT INTO acidq_lane (queue, lane) SELECT id, 0 FROM acidq_queue"); // one lane: one claim takes all
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void taskFailed(String task, Throwable failure) {
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
        place("warm", 60); // quick handlers, after which the engine claims several messages of a key
        awaitDrained();
        transactions.run(() -> {
            for (String key : keys) {
                place(key, 2); // joins this transaction
            }
        });
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(sizes).as("the heads run in one transaction").containsExactly(3);
        assertThat(rows("acidq_message WHERE owner <> 0"))
                .as("their followers wait in the node")
                .isEqualTo(6);
        try (Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT id FROM acidq_message WHERE owner <> 0 FOR UPDATE");
            locked.countDown();
            assertThat(failing.await(30, TimeUnit.SECONDS)).isTrue();
            other.rollback();
        }
        awaitDrained();
        List<String> order = List.copyOf(runs);
        assertThat(keys)
                .allSatisfy(key -> assertThat(order.indexOf(key + 2)).isGreaterThan(order.lastIndexOf(key + 1)));
        assertThat(dead()).hasSize(3);
    }

    @Test
    void acceptsAnOutcomeWithoutAnError() throws Exception {
        listen(on(
                        Q,
                        (step, delivery) -> step.seq() == 1
                                ? Outcome.dead(new IllegalStateException().getMessage())
                                : Outcome.retryAfter(Duration.ZERO, null))
                .withRetry(ONE_ATTEMPT));
        place("a", 2);
        awaitUntil(() -> dead().size() == 2);
        assertThat(dead()).allSatisfy(letter -> assertThat(letter.error()).contains(Outcome.NO_REASON_GIVEN));
    }

    /** An exception whose {@code toString} throws. */
    static final class FailingToString extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new StackOverflowError("pretended");
        }
    }

    @Test
    void countsAFailureWhoseToStringThrows() throws Exception {
        listen(on(Q, (Step step, Delivery delivery) -> {
                    throw new FailingToString();
                })
                .withRetry(ONE_ATTEMPT));
        place("a", 1);
        awaitUntil(() -> dead().size() == 1);
        assertThat(dead().get(0).error()).contains("FailingToString");
    }

    /** Otherwise such a message would be requeued and run forever. */
    @Test
    void deadLettersAMessageWhoseOutcomeCannotBeWritten() throws Exception {
        Engine engine = Engine.builder(refusing(store, "unwritable"))
                .config(QUICK)
                .listen(on(Q, (step, delivery) -> Outcome.dead("unwritable")))
                .build();
        try (engine) {
            engine.start();
            place("a", 1);
            awaitUntil(() -> dead().size() == 1);
        }
        assertThat(dead().get(0).error()).contains("could not be written", "IllegalArgumentException");
    }

    @Test
    void toleratesTelemetryThatThrowsErrors() throws Exception {
        Telemetry hostile = (Telemetry) Proxy.newProxyInstance(
                ReviewFindingsIT.class.getClassLoader(), new Class<?>[] {Telemetry.class}, (proxy, method, args) -> {
                    throw new AssertionError("metrics are down");
                });
        Engine engine = engine(e -> e.telemetry(hostile)
                .listen(on(Q, (step, delivery) -> {
                            effect(step, delivery);
                            if (step.seq() % 2 == 0) {
                                throw new IllegalStateException("every other one");
                            }
                            return Outcome.done();
                        })
                        .withRetry(ONE_ATTEMPT)));
        place("a", 20);
        awaitDrained();
        assertThat(effects()).isEqualTo(10);
        assertThat(engine.stop(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void leavesNoKeyWhenAMessageCannotBeInsertedAndTheCallerCommits() throws Exception {
        refuse("refused");
        transactions.run(() -> {
            assertThatThrownBy(() -> queue().enqueue(Q, "refused", options().key("k")))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("enqueue to '" + Q + "'", "by order");
        });
        assertThat(rows("acidq_key")).isZero();
        sql("DROP TRIGGER refusing");
        Enqueued again = enqueue(Q, "refused", options().key("k"));
        assertThat(again.isDuplicate()).isFalse();
    }

    @Test
    void enqueuesAllOrNoneWhenTheCallerSwallowsTheFailureAndCommits() throws Exception {
        refuse("refused");
        List<NewMessage> messages = LongStream.rangeClosed(1, 1200)
                .mapToObj(i -> new NewMessage(
                        i == 1100 ? "refused" : "taken " + i, options().key("k" + i)))
                .toList();
        transactions.run(() -> {
            insertEffect(new Step("before", 1), 0);
            assertThatThrownBy(() -> queue().enqueueAll(Q, messages)).isInstanceOf(QueueMisuseException.class);
            insertEffect(new Step("after", 1), 0);
        });
        assertThat(rows("acidq_key")).isZero();
        assertThat(rows("acidq_message")).isZero();
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void explainsAReadOnlyConnection() throws Exception {
        place("known", 1); // so that the queue is there
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
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
        sql("CREATE TRIGGER refusing BEFORE INSERT ON acidq_message FOR EACH ROW BEGIN IF NEW.payload = '\"" + payload
                + "\"' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'by order'; END IF; END");
    }

    /** The store, which refuses dead letters with this error. */
    private static Store refusing(Store store, String cause) {
        return StoreHook.beforeClaims(store, (call, args) -> {
            if (call.equals("deadLetterIfClaimed") && cause.equals(args[1])) {
                throw new IllegalArgumentException("this cause can not be written");
            }
        });
    }

    private List<DeadLetter> dead() {
        return deadLetters().list(Q, 100);
    }

    private void place(String key, int messages) throws Exception {
        placeOrdered(Q, key, messages);
    }
}

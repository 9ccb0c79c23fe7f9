package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.config.EngineConfig;
import io.acidq.resilience.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an engine does with messages, on a real server. */
class EngineIT extends FreshEngineTests {

    private static final String Q = "steps";
    private static final RetryPolicy AT_ONCE = RetryPolicy.defaults().withBackoff(Duration.ZERO, 1, Duration.ZERO);

    @Test
    void runsACommittedMessageOnceWithItsEffects() throws Exception {
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        listen(Q, (step, delivery) -> {
            deliveries.add(delivery);
            return effect(step, delivery);
        });
        Enqueued enqueued = enqueue(
                Q, new Step("a", 1), options().key("k1").orderingKey("o1").header("h", "v"));
        awaitDrained();
        assertThat(strings("SELECT CONCAT(k, seq) FROM effect")).containsExactly("a1");
        Delivery delivery = deliveries.element();
        assertThat(delivery.id()).isEqualTo(enqueued.id());
        assertThat(delivery.key()).contains("k1");
        assertThat(delivery.orderingKey()).contains("o1");
        assertThat(delivery.headers()).containsEntry("h", "v");
        assertThat(delivery.attempt()).isEqualTo(1);
        assertThat(delivery.crashes()).isZero();
        assertThat(delivery.claimNo()).isEqualTo(1);
    }

    @Test
    void neverRunsAMessageWhoseTransactionRolledBack() throws Exception {
        assertThatThrownBy(() -> transactions.call(() -> {
                    queue().enqueue(Q, new Step("lost", 1), options().key("k"));
                    throw new IllegalStateException("rolled back by the caller");
                }))
                .hasMessage("rolled back by the caller");
        listen(Q, this::effect);
        assertThat(enqueue(Q, new Step("kept", 1), options().key("k")).isDuplicate())
                .isFalse();
        awaitDrained();
        assertThat(strings("SELECT k FROM effect")).containsExactly("kept");
    }

    @Test
    void refusesToStartOnTablesThatDifferAndStartsOnceTheyAreRepaired() throws Exception {
        sql("ALTER TABLE acidq_message DROP INDEX by_id, DROP COLUMN crashes, ADD KEY by_id (id)");
        Engine engine = Engine.builder(store).listen(on(Q, this::effect)).build();
        assertThatThrownBy(engine::start)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("acidq_message.crashes");
        assertThat(engine.isRunning()).isFalse();
        sql("ALTER TABLE acidq_message ADD COLUMN crashes INT NOT NULL DEFAULT 0");
        engine.start();
        enqueue(Q, new Step("a", 1));
        awaitDrained();
        engine.close();
    }

    @Test
    void enqueuesManyMessagesAndSkipsDuplicateKeys() throws Exception {
        listen(Q, this::effect);
        List<NewMessage> messages = IntStream.range(0, 1500)
                .mapToObj(i -> new NewMessage(new Step("m" + i, i), options().key("key-" + i % 1000)))
                .toList();
        List<Enqueued> results = enqueueAll(Q, messages);
        awaitDrained();
        assertThat(results).hasSize(1500);
        assertThat(results.subList(0, 1000)).noneMatch(Enqueued::isDuplicate);
        assertThat(results.subList(1000, 1500)).allMatch(Enqueued::isDuplicate);
        assertThat(results.get(1000).id()).isEqualTo(results.get(0).id());
        assertThat(count("SELECT COUNT(DISTINCT k) FROM effect")).isEqualTo(1000);
        assertThat(effects()).isEqualTo(1000);
    }

    @Test
    void rollsBackFailedAttemptsAndDeadLettersAfterTheLast() throws Exception {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        listen(on(Q, (step, delivery) -> {
                    attempts.add(delivery.attempt());
                    insertEffect(step, delivery.node());
                    throw new IllegalStateException("no stock");
                })
                .withRetry(AT_ONCE.withMaxAttempts(3)));
        Enqueued enqueued = enqueue(Q, new Step("a", 1), options().key("k").orderingKey("o"));
        awaitDrained();
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(effects()).isZero();
        DeadLetter dead = deadLetters().list(Q, 10).get(0);
        assertThat(dead.id()).isEqualTo(enqueued.id());
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.crashes()).isZero();
        assertThat(dead.key()).contains("k");
        assertThat(dead.orderingKey()).contains("o");
        assertThat(dead.error()).contains("no stock");
    }

    @Test
    void countsTheAttemptBeforeTheHandlerStarts() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        listen(Q, (step, delivery) -> {
            inside.countDown();
            go.await();
            return Outcome.done();
        });
        enqueue(Q, new Step("a", 1));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(strings("SELECT CONCAT(attempts, '/', claim_no, '/', crashes) FROM acidq_message"))
                .as("seen by another connection while the handler runs")
                .containsExactly("1/1/0");
        go.countDown();
        awaitDrained();
    }

    @Test
    void keepsAMessageUntilItIsDueOnTheDatabasesClock() throws Exception {
        listen(Q, (step, delivery) -> {
            insertEffect(step, delivery.node());
            sql("INSERT INTO effect (k, seq) SELECT 'early', COUNT(*) FROM (SELECT 1 FROM DUAL WHERE"
                    + " UTC_TIMESTAMP(6) < '"
                    + java.time.LocalDateTime.ofInstant(delivery.dueAt(), java.time.ZoneOffset.UTC)
                    + "') t HAVING COUNT(*) > 0");
            return Outcome.done();
        });
        enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(700)));
        enqueue(Q, new Step("now", 1));
        assertThat(rows("acidq_scheduled")).isEqualTo(1);
        awaitDrained();
        assertThat(strings("SELECT k FROM effect ORDER BY id")).containsExactly("now", "later");
    }

    @Test
    void wakesUpAfterCommitWithoutWaitingForAPoll() throws Exception {
        EngineConfig sleepy = QUICK.withPolling(Duration.ofMinutes(5), Duration.ofMinutes(5));
        Engine engine = engine(e -> e.config(sleepy).listen(on(Q, this::effect)));
        for (int i = 0; i < 20; i++) { // one by one, each with nothing else to wake the engine
            int seq = i;
            transactions.call(() -> engine.queue().enqueue(Q, new Step("a", seq)));
            awaitRows("effect", seq + 1);
        }
    }

    @Test
    void neverCommitsPartOfAHandlerThatSwallowedADeadlock() throws Exception {
        sql("INSERT INTO effect (id, k) VALUES (1, 'lock-a'), (2, 'lock-b')");
        AtomicInteger swallowed = new AtomicInteger();
        CountDownLatch bothHold = new CountDownLatch(2);
        listen(Q, (step, delivery) -> {
            insertEffect(new Step(step.k() + "-before", 0), delivery.node());
            try {
                touch(step.seq());
                bothHold.countDown();
                bothHold.await(10, TimeUnit.SECONDS);
                touch(3 - step.seq());
            } catch (SQLException ignored) {
                swallowed.incrementAndGet();
            }
            return effect(step, delivery);
        });
        enqueue(Q, new Step("one", 1));
        enqueue(Q, new Step("two", 2));
        awaitDrained();
        assertThat(swallowed).hasPositiveValue();
        assertThat(strings("SELECT k FROM effect WHERE id > 2 ORDER BY k"))
                .as("each whole, each once")
                .containsExactly("one", "one-before", "two", "two-before");
    }

    @Test
    void runsEachMessageOnceWhenEnginesShareAQueue() throws Exception {
        for (int i = 0; i < 4; i++) {
            listen(Q, this::effect);
        }
        for (int b = 0; b < 20; b++) {
            int bulk = b;
            transactions.call(() -> queue().enqueueAll(
                            Q,
                            IntStream.range(0, 100)
                                    .mapToObj(i -> NewMessage.of(new Step("m", bulk * 100L + i)))
                                    .toList()));
        }
        awaitDrained();
        assertThat(effects()).isEqualTo(2000);
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(2000);
    }

    @Test
    void requeuesUnstartedMessagesWhenItStops() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = listen(on(Q, (step, delivery) -> {
                    inside.countDown();
                    go.await();
                    return effect(step, delivery);
                })
                .withConcurrency(1));
        transactions.call(() -> engine.queue()
                .enqueueAll(
                        Q,
                        IntStream.range(0, 50)
                                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                                .toList()));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        awaitUntil(() -> rows("acidq_message WHERE owner <> 0") > 1);
        Thread stopper =
                new Thread(() -> assertThat(engine.stop(Duration.ofSeconds(60))).isTrue());
        stopper.start();
        awaitRows("acidq_message WHERE owner = 0 AND attempts = 0", 49);
        go.countDown();
        stopper.join();
        assertThat(effects()).isEqualTo(1);
        assertThat(rows("acidq_message WHERE owner <> 0")).isZero();
        assertThat(rows("acidq_message WHERE claim_no = 0 OR attempts = 0")).isEqualTo(49);
    }

    @Test
    void interruptsAHandlerThatOutlastsTheStopAndRequeuesItsMessage() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        Engine engine = listen(Q, (step, delivery) -> {
            insertEffect(step, delivery.node());
            inside.countDown();
            new CountDownLatch(1).await();
            return Outcome.done();
        });
        enqueue(Q, new Step("endless", 1));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engine.stop(Duration.ofMillis(100))).isFalse();
        assertThat(effects()).isZero();
        assertThat(strings("SELECT CONCAT(owner, '/', attempts) FROM acidq_message"))
                .containsExactly("0/0");
    }

    private void touch(long id) throws SQLException {
        try (var update = transactions
                .connection()
                .prepareStatement("UPDATE effect SET seq = COALESCE(seq, 0) + 1 WHERE id = ?")) {
            update.setLong(1, id);
            update.executeUpdate();
        }
    }
}

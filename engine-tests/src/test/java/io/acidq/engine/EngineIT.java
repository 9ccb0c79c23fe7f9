package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an engine does with messages, on a real server. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class EngineIT {

    private static final String Q = "steps";
    private static final RetryPolicy AT_ONCE = RetryPolicy.defaults().withBackoff(Duration.ZERO, 1, Duration.ZERO);

    private final ServerKind kind;
    EngineFixture engineFixture;

    EngineIT(ServerKind kind) {
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

    @Test
    void processesACommittedMessageOnceWithItsEffects() throws Exception {
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        listen((step, delivery) -> {
            deliveries.add(delivery);
            engineFixture.effect(step, delivery.node());
            return Outcome.done();
        });
        Enqueued enqueued = engineFixture.enqueue(
                Q, new Step("a", 1), options().key("k1").orderingKey("o1").header("h", "v"));
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT CONCAT(k, seq) FROM effect")).containsExactly("a1");
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
    void neverShowsAMessageWhoseTransactionRolledBack() throws Exception {
        assertThatThrownBy(() -> engineFixture.transactions.call(() -> {
                    engineFixture
                            .sender()
                            .queue()
                            .enqueue(Q, new Step("lost", 1), options().key("k"));
                    throw new IllegalStateException("business says no");
                }))
                .hasMessage("business says no");
        listen((step, delivery) -> effect(step, delivery));
        assertThat(engineFixture
                        .enqueue(Q, new Step("kept", 1), options().key("k"))
                        .isDuplicate())
                .isFalse();
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("kept");
    }

    @Test
    void refusesToEnqueueWithoutATransactionAndSaysWhatToDo() {
        assertThatThrownBy(() -> engineFixture.sender().queue().enqueue(Q, new Step("a", 1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@Transactional")
                .hasMessageContaining("JdbcTransactions.run");
    }

    @Test
    void refusesToStartOnTablesThatDifferAndStartsOnceTheyAreMended() throws Exception {
        engineFixture.sql("ALTER TABLE acidq_message DROP INDEX by_id, DROP COLUMN crashes, ADD KEY by_id (id)");
        Engine engine = Engine.builder(engineFixture.store)
                .listen(Listener.on(Q, Step.class, this::effect))
                .build();
        assertThatThrownBy(engine::start)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("acidq_message.crashes");
        assertThat(engine.isRunning()).isFalse();
        engineFixture.sql("ALTER TABLE acidq_message ADD COLUMN crashes INT NOT NULL DEFAULT 0");
        engine.start();
        engineFixture.enqueue(Q, new Step("a", 1), options());
        engineFixture.drained();
        engine.close();
    }

    @Test
    void refusesATooLargePayloadAndLeavesTheTransactionUsable() throws Exception {
        Engine small = Engine.builder(engineFixture.store)
                .config(EngineFixture.QUICK.withMaxPayloadBytes(100))
                .build();
        engineFixture.transactions.call(() -> {
            assertThatThrownBy(() -> small.queue().enqueue(Q, new Step("x".repeat(100), 1)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("maxPayloadBytes");
            return small.queue().enqueue(Q, new Step("small", 1));
        });
        listen((step, delivery) -> effect(step, delivery));
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("small");
    }

    @Test
    void enqueuesManyAndHonoursTheirKeys() throws Exception {
        listen((step, delivery) -> effect(step, delivery));
        List<NewMessage> messages = IntStream.range(0, 1500)
                .mapToObj(i -> new NewMessage(new Step("m" + i, i), options().key("key-" + i % 1000)))
                .toList();
        List<Enqueued> results = engineFixture.transactions.call(
                () -> engineFixture.sender().queue().enqueueAll(Q, messages));
        engineFixture.drained();
        assertThat(results).hasSize(1500);
        assertThat(results.subList(0, 1000)).noneMatch(Enqueued::isDuplicate);
        assertThat(results.subList(1000, 1500)).allMatch(Enqueued::isDuplicate);
        assertThat(results.get(1000).id()).isEqualTo(results.get(0).id());
        assertThat(engineFixture.count("SELECT COUNT(DISTINCT k) FROM effect")).isEqualTo(1000);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(1000);
    }

    @Test
    void rollsAFailedAttemptBackAndMakesADeadLetterAfterTheLast() throws Exception {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    attempts.add(delivery.attempt());
                    engineFixture.effect(step, delivery.node());
                    throw new IllegalStateException("no stock");
                })
                .withRetry(AT_ONCE.withMaxAttempts(3))));
        Enqueued enqueued =
                engineFixture.enqueue(Q, new Step("a", 1), options().key("k").orderingKey("o"));
        engineFixture.drained();
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();
        DeadLetter dead = engineFixture.sender().deadLetters().list(Q, 10).get(0);
        assertThat(dead.id()).isEqualTo(enqueued.id());
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.crashes()).isZero();
        assertThat(dead.key()).contains("k");
        assertThat(dead.orderingKey()).contains("o");
        assertThat(dead.mark()).contains("no stock");
    }

    @Test
    void retriesWithAndWithoutAnOrderingKeyUntilItWorks() throws Exception {
        RetryPolicy soon = RetryPolicy.defaults().withBackoff(Duration.ofMillis(20), 2, Duration.ofSeconds(1));
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (delivery.attempt() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return effect(step, delivery);
                })
                .withRetry(soon)));
        engineFixture.enqueue(Q, new Step("plain", 1), options());
        engineFixture.enqueue(Q, new Step("ordered", 1), options().orderingKey("o"));
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect ORDER BY k")).containsExactly("ordered", "plain");
    }

    @Test
    void doesWhatTheHandlersOutcomeSays() throws Exception {
        listen((step, delivery) -> {
            engineFixture.effect(step, delivery.node());
            if (step.k().equals("dead")) {
                return Outcome.dead("will never work");
            }
            return delivery.attempt() == 1 ? Outcome.retryAfter(Duration.ofMillis(10), "again") : Outcome.done();
        });
        engineFixture.enqueue(Q, new Step("dead", 1), options());
        engineFixture.enqueue(Q, new Step("again", 1), options());
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect"))
                .as("only what was done has effects")
                .containsExactly("again");
        assertThat(engineFixture.sender().deadLetters().list(Q, 10))
                .extracting(DeadLetter::mark)
                .containsExactly("will never work");
    }

    @Test
    void survivesAnErrorOfAHandler() throws Exception {
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (Step step, Delivery delivery) -> {
                    if (step.k().equals("bad")) {
                        throw new OutOfMemoryError("pretended");
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(1)
                .withRetry(AT_ONCE.withMaxAttempts(2))));
        engineFixture.enqueue(Q, new Step("bad", 1), options());
        engineFixture.enqueue(Q, new Step("good", 1), options());
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("good");
        assertThat(engineFixture.sender().deadLetters().list(Q, 10).get(0).attempts())
                .isEqualTo(2);
    }

    record Other(String x) {}

    @Test
    void parksAnUndecodableMessageWithItsBytesAndGoesOn() throws Exception {
        listen((step, delivery) -> effect(step, delivery));
        engineFixture.enqueue(Q, new Other("foreign"), options().orderingKey("o"));
        engineFixture.enqueue(Q, new Step("good", 1), options().orderingKey("o"));
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("good");
        DeadLetter parked = engineFixture.sender().deadLetters().list(Q, 10).get(0);
        assertThat(parked.mark()).contains("'Other'").contains("'Step'");
        assertThat(new String(parked.payload(), java.nio.charset.StandardCharsets.UTF_8))
                .contains("foreign");
    }

    @Test
    void countsTheAttemptBeforeTheHandlerStarts() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        listen((step, delivery) -> {
            inside.countDown();
            go.await();
            return Outcome.done();
        });
        engineFixture.enqueue(Q, new Step("a", 1), options());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engineFixture.strings("SELECT CONCAT(attempts, '/', claim_no, '/', crashes) FROM acidq_message"))
                .as("seen by another connection while the handler runs")
                .containsExactly("1/1/0");
        go.countDown();
        engineFixture.drained();
    }

    @Test
    void replaysADeadLetterWithItsAttemptsCountedAnew() throws Exception {
        AtomicInteger mood = new AtomicInteger();
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (mood.get() == 0) {
                        throw new IllegalStateException("closed");
                    }
                    assertThat(delivery.attempt()).isEqualTo(1);
                    assertThat(delivery.claimNo()).as("never reset").isEqualTo(2);
                    return effect(step, delivery);
                })
                .withRetry(AT_ONCE.withMaxAttempts(1))));
        Enqueued first = engineFixture.enqueue(Q, new Step("a", 1), options());
        engineFixture.drained();
        mood.set(1);
        assertThat(engineFixture.sender().deadLetters().replay(first.id())).isTrue();
        assertThat(engineFixture.sender().deadLetters().replay(first.id()))
                .as("the second comes too late")
                .isFalse();
        assertThat(engineFixture.sender().deadLetters().discard(first.id())).isFalse();
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("a");
    }

    @Test
    void discardsADeadLetterForGood() throws Exception {
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.dead("no"))));
        Enqueued first = engineFixture.enqueue(Q, new Step("a", 1), options());
        engineFixture.drained();
        assertThat(engineFixture.sender().deadLetters().discard(first.id())).isTrue();
        assertThat(engineFixture.sender().deadLetters().replay(first.id())).isFalse();
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void keepsAMessageUntilItIsDueOnTheDatabasesClock() throws Exception {
        listen((step, delivery) -> {
            engineFixture.effect(step, delivery.node());
            engineFixture.sql(
                    "INSERT INTO effect (k, seq) SELECT 'early', COUNT(*) FROM (SELECT 1 FROM DUAL WHERE UTC_TIMESTAMP(6) < '"
                            + java.time.LocalDateTime.ofInstant(delivery.dueAt(), java.time.ZoneOffset.UTC)
                            + "') t HAVING COUNT(*) > 0");
            return Outcome.done();
        });
        engineFixture.enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(700)));
        engineFixture.enqueue(Q, new Step("now", 1), options());
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_scheduled")).isEqualTo(1);
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT k FROM effect ORDER BY id")).containsExactly("now", "later");
    }

    @Test
    void wakesUpAfterCommitWithoutWaitingForAPoll() throws Exception {
        EngineConfig sleepy = EngineFixture.QUICK.withPolling(Duration.ofMinutes(5), Duration.ofMinutes(5));
        Engine engine = engineFixture.engine(e ->
                e.config(sleepy).listen(Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery))));
        for (int i = 0; i < 20; i++) { // one by one, each with nothing else to wake the engine
            int seq = i;
            engineFixture.transactions.call(() -> engine.queue().enqueue(Q, new Step("a", seq)));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == seq + 1);
        }
    }

    @Test
    void retriesADeadlockWithoutBurningAnAttempt() throws Exception {
        engineFixture.sql("INSERT INTO effect (id, k) VALUES (1, 'lock-a'), (2, 'lock-b')");
        AtomicInteger deadlocks = new AtomicInteger();
        CountDownLatch bothHold = new CountDownLatch(2);
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    assertThat(delivery.attempt()).isEqualTo(1);
                    long first = step.seq();
                    try {
                        touch(first);
                        bothHold.countDown();
                        bothHold.await(10, TimeUnit.SECONDS);
                        touch(3 - first);
                    } catch (SQLException deadlock) {
                        deadlocks.incrementAndGet();
                        throw deadlock;
                    }
                    return effect(step, delivery);
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(1))));
        engineFixture.enqueue(Q, new Step("one", 1), options());
        engineFixture.enqueue(Q, new Step("two", 2), options());
        engineFixture.drained();
        assertThat(deadlocks).hasPositiveValue();
        assertThat(engineFixture.strings("SELECT k FROM effect WHERE id > 2 ORDER BY k"))
                .containsExactly("one", "two");
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void neverCommitsHalfOfAHandlerThatSwallowedADeadlock() throws Exception {
        engineFixture.sql("INSERT INTO effect (id, k) VALUES (1, 'lock-a'), (2, 'lock-b')");
        AtomicInteger swallowed = new AtomicInteger();
        CountDownLatch bothHold = new CountDownLatch(2);
        listen((step, delivery) -> {
            engineFixture.effect(new Step(step.k() + "-before", 0), delivery.node());
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
        engineFixture.enqueue(Q, new Step("one", 1), options());
        engineFixture.enqueue(Q, new Step("two", 2), options());
        engineFixture.drained();
        assertThat(swallowed).hasPositiveValue();
        assertThat(engineFixture.strings("SELECT k FROM effect WHERE id > 2 ORDER BY k"))
                .as("each whole, each once")
                .containsExactly("one", "one-before", "two", "two-before");
    }

    @Test
    void sharesAQueueBetweenEnginesWithoutDoubling() throws Exception {
        for (int i = 0; i < 4; i++) {
            listen((step, delivery) -> effect(step, delivery));
        }
        for (int b = 0; b < 20; b++) {
            int bulk = b;
            engineFixture.transactions.call(() -> engineFixture
                    .sender()
                    .queue()
                    .enqueueAll(
                            Q,
                            IntStream.range(0, 100)
                                    .mapToObj(i -> NewMessage.of(new Step("m", bulk * 100L + i)))
                                    .toList()));
        }
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(2000);
        assertThat(engineFixture.count("SELECT COUNT(DISTINCT seq) FROM effect"))
                .isEqualTo(2000);
    }

    @Test
    void givesBackWhatHasNotStartedWhenItStops() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    inside.countDown();
                    go.await();
                    return effect(step, delivery);
                })
                .withConcurrency(1)));
        engineFixture.transactions.call(() -> engine.queue()
                .enqueueAll(
                        Q,
                        IntStream.range(0, 50)
                                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                                .toList()));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        Thread stopper =
                new Thread(() -> assertThat(engine.stop(Duration.ofSeconds(60))).isTrue());
        stopper.start();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = 0 AND attempts = 0")
                        == 49);
        go.countDown();
        stopper.join();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0"))
                .isZero();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE claim_no = 0 OR attempts = 0"))
                .isEqualTo(49);
    }

    @Test
    void interruptsAHandlerThatOutlastsTheStopAndGivesItsMessageBack() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
            engineFixture.effect(step, delivery.node());
            inside.countDown();
            new CountDownLatch(1).await();
            return Outcome.done();
        })));
        engineFixture.enqueue(Q, new Step("endless", 1), options());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engine.stop(Duration.ofMillis(100))).isFalse();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();
        assertThat(engineFixture.strings("SELECT CONCAT(owner, '/', attempts) FROM acidq_message"))
                .containsExactly("0/0");
    }

    @Test
    void toleratesTelemetryThatThrows() throws Exception {
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void finished(io.acidq.MessageId id, Outcome outcome, Duration took) {
                        throw new IllegalStateException("metrics are down");
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery))));
        engineFixture.enqueue(Q, new Step("a", 1), options());
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
    }

    private void touch(long id) throws SQLException {
        try (var update = engineFixture
                .transactions
                .connection()
                .prepareStatement("UPDATE effect SET seq = COALESCE(seq, 0) + 1 WHERE id = ?")) {
            update.setLong(1, id);
            update.executeUpdate();
        }
    }

    private Outcome effect(Step step, Delivery delivery) throws SQLException {
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }

    private void listen(io.acidq.Handler<Step> handler) {
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, handler)));
    }
}

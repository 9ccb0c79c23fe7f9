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
import io.acidq.engine.World.Step;
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
    World world;

    EngineIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        world = new World(kind);
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void processesACommittedMessageOnceWithItsEffects() throws Exception {
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        listen((step, delivery) -> {
            deliveries.add(delivery);
            world.effect(step, delivery.node());
            return Outcome.done();
        });
        Enqueued enqueued = world.enqueue(
                Q, new Step("a", 1), options().key("k1").orderingKey("o1").header("h", "v"));
        world.drained();
        assertThat(world.strings("SELECT CONCAT(k, seq) FROM effect")).containsExactly("a1");
        Delivery delivery = deliveries.element();
        assertThat(delivery.id()).isEqualTo(enqueued.id());
        assertThat(delivery.key()).contains("k1");
        assertThat(delivery.orderingKey()).contains("o1");
        assertThat(delivery.headers()).containsEntry("h", "v");
        assertThat(delivery.attempt()).isEqualTo(1);
        assertThat(delivery.deaths()).isZero();
        assertThat(delivery.claimNo()).isEqualTo(1);
    }

    @Test
    void neverShowsAMessageWhoseTransactionRolledBack() throws Exception {
        assertThatThrownBy(() -> world.transactions.call(() -> {
                    world.sender()
                            .queue()
                            .enqueue(Q, new Step("lost", 1), options().key("k"));
                    throw new IllegalStateException("business says no");
                }))
                .hasMessage("business says no");
        listen((step, delivery) -> effect(step, delivery));
        assertThat(world.enqueue(Q, new Step("kept", 1), options().key("k")).isDuplicate())
                .isFalse();
        world.drained();
        assertThat(world.strings("SELECT k FROM effect")).containsExactly("kept");
    }

    @Test
    void refusesToEnqueueWithoutATransactionAndSaysWhatToDo() {
        assertThatThrownBy(() -> world.sender().queue().enqueue(Q, new Step("a", 1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@Transactional")
                .hasMessageContaining("JdbcTransactions.run");
    }

    @Test
    void refusesToStartOnTablesThatDifferAndStartsOnceTheyAreMended() throws Exception {
        world.sql("ALTER TABLE acidq_message DROP INDEX by_id, DROP COLUMN deaths, ADD KEY by_id (id)");
        Engine engine = Engine.builder(world.store)
                .listen(Listener.on(Q, Step.class, this::effect))
                .build();
        assertThatThrownBy(engine::start)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("acidq_message.deaths");
        assertThat(engine.isRunning()).isFalse();
        world.sql("ALTER TABLE acidq_message ADD COLUMN deaths INT NOT NULL DEFAULT 0");
        engine.start();
        world.enqueue(Q, new Step("a", 1), options());
        world.drained();
        engine.close();
    }

    @Test
    void refusesATooLargePayloadAndLeavesTheTransactionUsable() throws Exception {
        Engine small = Engine.builder(world.store)
                .config(World.QUICK.withMaxPayloadBytes(100))
                .build();
        world.transactions.call(() -> {
            assertThatThrownBy(() -> small.queue().enqueue(Q, new Step("x".repeat(100), 1)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("maxPayloadBytes");
            return small.queue().enqueue(Q, new Step("small", 1));
        });
        listen((step, delivery) -> effect(step, delivery));
        world.drained();
        assertThat(world.strings("SELECT k FROM effect")).containsExactly("small");
    }

    @Test
    void enqueuesManyAndHonoursTheirKeys() throws Exception {
        listen((step, delivery) -> effect(step, delivery));
        List<NewMessage> messages = IntStream.range(0, 1500)
                .mapToObj(i -> new NewMessage(new Step("m" + i, i), options().key("key-" + i % 1000)))
                .toList();
        List<Enqueued> results =
                world.transactions.call(() -> world.sender().queue().enqueueAll(Q, messages));
        world.drained();
        assertThat(results).hasSize(1500);
        assertThat(results.subList(0, 1000)).noneMatch(Enqueued::isDuplicate);
        assertThat(results.subList(1000, 1500)).allMatch(Enqueued::isDuplicate);
        assertThat(results.get(1000).id()).isEqualTo(results.get(0).id());
        assertThat(world.count("SELECT COUNT(DISTINCT k) FROM effect")).isEqualTo(1000);
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isEqualTo(1000);
    }

    @Test
    void rollsAFailedAttemptBackAndMakesADeadLetterAfterTheLast() throws Exception {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    attempts.add(delivery.attempt());
                    world.effect(step, delivery.node());
                    throw new IllegalStateException("no stock");
                })
                .withRetry(AT_ONCE.withMaxAttempts(3))));
        Enqueued enqueued =
                world.enqueue(Q, new Step("a", 1), options().key("k").orderingKey("o"));
        world.drained();
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isZero();
        DeadLetter dead = world.sender().deadLetters().list(Q, 10).get(0);
        assertThat(dead.id()).isEqualTo(enqueued.id());
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.deaths()).isZero();
        assertThat(dead.key()).contains("k");
        assertThat(dead.orderingKey()).contains("o");
        assertThat(dead.mark()).contains("no stock");
    }

    @Test
    void retriesWithAndWithoutAnOrderingKeyUntilItWorks() throws Exception {
        RetryPolicy soon = RetryPolicy.defaults().withBackoff(Duration.ofMillis(20), 2, Duration.ofSeconds(1));
        world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (delivery.attempt() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return effect(step, delivery);
                })
                .withRetry(soon)));
        world.enqueue(Q, new Step("plain", 1), options());
        world.enqueue(Q, new Step("ordered", 1), options().orderingKey("o"));
        world.drained();
        assertThat(world.strings("SELECT k FROM effect ORDER BY k")).containsExactly("ordered", "plain");
    }

    @Test
    void doesWhatTheHandlersOutcomeSays() throws Exception {
        listen((step, delivery) -> {
            world.effect(step, delivery.node());
            if (step.k().equals("dead")) {
                return Outcome.dead("will never work");
            }
            return delivery.attempt() == 1 ? Outcome.retryAfter(Duration.ofMillis(10), "again") : Outcome.done();
        });
        world.enqueue(Q, new Step("dead", 1), options());
        world.enqueue(Q, new Step("again", 1), options());
        world.drained();
        assertThat(world.strings("SELECT k FROM effect"))
                .as("only what was done has effects")
                .containsExactly("again");
        assertThat(world.sender().deadLetters().list(Q, 10))
                .extracting(DeadLetter::mark)
                .containsExactly("will never work");
    }

    @Test
    void survivesAnErrorOfAHandler() throws Exception {
        world.engine(e -> e.listen(Listener.on(Q, Step.class, (Step step, Delivery delivery) -> {
                    if (step.k().equals("bad")) {
                        throw new OutOfMemoryError("pretended");
                    }
                    return effect(step, delivery);
                })
                .withWorkers(1)
                .withRetry(AT_ONCE.withMaxAttempts(2))));
        world.enqueue(Q, new Step("bad", 1), options());
        world.enqueue(Q, new Step("good", 1), options());
        world.drained();
        assertThat(world.strings("SELECT k FROM effect")).containsExactly("good");
        assertThat(world.sender().deadLetters().list(Q, 10).get(0).attempts()).isEqualTo(2);
    }

    record Other(String x) {}

    @Test
    void parksAnUndecodableMessageWithItsBytesAndGoesOn() throws Exception {
        listen((step, delivery) -> effect(step, delivery));
        world.enqueue(Q, new Other("foreign"), options().orderingKey("o"));
        world.enqueue(Q, new Step("good", 1), options().orderingKey("o"));
        world.drained();
        assertThat(world.strings("SELECT k FROM effect")).containsExactly("good");
        DeadLetter parked = world.sender().deadLetters().list(Q, 10).get(0);
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
        world.enqueue(Q, new Step("a", 1), options());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(world.strings("SELECT CONCAT(attempts, '/', claim_no, '/', deaths) FROM acidq_message"))
                .as("seen by another connection while the handler runs")
                .containsExactly("1/1/0");
        go.countDown();
        world.drained();
    }

    @Test
    void replaysADeadLetterWithItsAttemptsCountedAnew() throws Exception {
        AtomicInteger mood = new AtomicInteger();
        world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (mood.get() == 0) {
                        throw new IllegalStateException("closed");
                    }
                    assertThat(delivery.attempt()).isEqualTo(1);
                    assertThat(delivery.claimNo()).as("never reset").isEqualTo(2);
                    return effect(step, delivery);
                })
                .withRetry(AT_ONCE.withMaxAttempts(1))));
        Enqueued first = world.enqueue(Q, new Step("a", 1), options());
        world.drained();
        mood.set(1);
        assertThat(world.sender().deadLetters().replay(first.id())).isTrue();
        assertThat(world.sender().deadLetters().replay(first.id()))
                .as("the second comes too late")
                .isFalse();
        assertThat(world.sender().deadLetters().discard(first.id())).isFalse();
        world.drained();
        assertThat(world.strings("SELECT k FROM effect")).containsExactly("a");
    }

    @Test
    void discardsADeadLetterForGood() throws Exception {
        world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> Outcome.dead("no"))));
        Enqueued first = world.enqueue(Q, new Step("a", 1), options());
        world.drained();
        assertThat(world.sender().deadLetters().discard(first.id())).isTrue();
        assertThat(world.sender().deadLetters().replay(first.id())).isFalse();
        assertThat(world.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void keepsAMessageUntilItIsDueOnTheDatabasesClock() throws Exception {
        listen((step, delivery) -> {
            world.effect(step, delivery.node());
            world.sql(
                    "INSERT INTO effect (k, seq) SELECT 'early', COUNT(*) FROM (SELECT 1 FROM DUAL WHERE UTC_TIMESTAMP(6) < '"
                            + java.time.LocalDateTime.ofInstant(delivery.dueAt(), java.time.ZoneOffset.UTC)
                            + "') t HAVING COUNT(*) > 0");
            return Outcome.done();
        });
        world.enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(700)));
        world.enqueue(Q, new Step("now", 1), options());
        assertThat(world.count("SELECT COUNT(*) FROM acidq_scheduled")).isEqualTo(1);
        world.drained();
        assertThat(world.strings("SELECT k FROM effect ORDER BY id")).containsExactly("now", "later");
    }

    @Test
    void wakesUpAfterCommitWithoutWaitingForAPoll() throws Exception {
        EngineConfig sleepy = World.QUICK.withPolling(Duration.ofMinutes(5), Duration.ofMinutes(5));
        Engine engine = world.engine(e ->
                e.config(sleepy).listen(Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery))));
        for (int i = 0; i < 20; i++) { // one by one, each with nothing else to wake the engine
            int seq = i;
            world.transactions.call(() -> engine.queue().enqueue(Q, new Step("a", seq)));
            await().atMost(Duration.ofSeconds(30)).until(() -> world.count("SELECT COUNT(*) FROM effect") == seq + 1);
        }
    }

    @Test
    void retriesADeadlockWithoutBurningAnAttempt() throws Exception {
        world.sql("INSERT INTO effect (id, k) VALUES (1, 'lock-a'), (2, 'lock-b')");
        AtomicInteger deadlocks = new AtomicInteger();
        CountDownLatch bothHold = new CountDownLatch(2);
        world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
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
        world.enqueue(Q, new Step("one", 1), options());
        world.enqueue(Q, new Step("two", 2), options());
        world.drained();
        assertThat(deadlocks).hasPositiveValue();
        assertThat(world.strings("SELECT k FROM effect WHERE id > 2 ORDER BY k"))
                .containsExactly("one", "two");
        assertThat(world.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void neverCommitsHalfOfAHandlerThatSwallowedADeadlock() throws Exception {
        world.sql("INSERT INTO effect (id, k) VALUES (1, 'lock-a'), (2, 'lock-b')");
        AtomicInteger swallowed = new AtomicInteger();
        CountDownLatch bothHold = new CountDownLatch(2);
        listen((step, delivery) -> {
            world.effect(new Step(step.k() + "-before", 0), delivery.node());
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
        world.enqueue(Q, new Step("one", 1), options());
        world.enqueue(Q, new Step("two", 2), options());
        world.drained();
        assertThat(swallowed).hasPositiveValue();
        assertThat(world.strings("SELECT k FROM effect WHERE id > 2 ORDER BY k"))
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
            world.transactions.call(() -> world.sender()
                    .queue()
                    .enqueueAll(
                            Q,
                            IntStream.range(0, 100)
                                    .mapToObj(i -> NewMessage.of(new Step("m", bulk * 100L + i)))
                                    .toList()));
        }
        world.drained();
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isEqualTo(2000);
        assertThat(world.count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(2000);
    }

    @Test
    void givesBackWhatHasNotStartedWhenItStops() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    inside.countDown();
                    go.await();
                    return effect(step, delivery);
                })
                .withWorkers(1)));
        world.transactions.call(() -> engine.queue()
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
                .until(() -> world.count("SELECT COUNT(*) FROM acidq_message WHERE owner = 0 AND attempts = 0") == 49);
        go.countDown();
        stopper.join();
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
        assertThat(world.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0"))
                .isZero();
        assertThat(world.count("SELECT COUNT(*) FROM acidq_message WHERE claim_no = 0 OR attempts = 0"))
                .isEqualTo(49);
    }

    @Test
    void interruptsAHandlerThatOutlastsTheStopAndGivesItsMessageBack() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        Engine engine = world.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
            world.effect(step, delivery.node());
            inside.countDown();
            new CountDownLatch(1).await();
            return Outcome.done();
        })));
        world.enqueue(Q, new Step("endless", 1), options());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engine.stop(Duration.ofMillis(100))).isFalse();
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isZero();
        assertThat(world.strings("SELECT CONCAT(owner, '/', attempts) FROM acidq_message"))
                .containsExactly("0/0");
    }

    @Test
    void toleratesTelemetryThatThrows() throws Exception {
        world.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void finished(io.acidq.MessageId id, Outcome outcome, Duration took) {
                        throw new IllegalStateException("metrics are down");
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery))));
        world.enqueue(Q, new Step("a", 1), options());
        world.drained();
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
    }

    private void touch(long id) throws SQLException {
        try (var update = world.transactions
                .connection()
                .prepareStatement("UPDATE effect SET seq = COALESCE(seq, 0) + 1 WHERE id = ?")) {
            update.setLong(1, id);
            update.executeUpdate();
        }
    }

    private Outcome effect(Step step, Delivery delivery) throws SQLException {
        world.effect(step, delivery.node());
        return Outcome.done();
    }

    private void listen(io.acidq.Handler<Step> handler) {
        world.engine(e -> e.listen(Listener.on(Q, Step.class, handler)));
    }
}

package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Case 54: operators act on messages in every state, while they run too: each act wins or does nothing, and nothing rises again. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class OperatorAbuseIT {

    private static final String Q = "operated";
    private static final RetryPolicy ONCE = RetryPolicy.defaults().withMaxAttempts(1);

    private final ServerKind kind;
    private EngineFixture engineFixture;

    OperatorAbuseIT(ServerKind kind) {
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
    void winsNothingOnWhatIsScheduledReadyRunningOrDone() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Enqueued running =
                engineFixture.enqueue(Q, new Step("running", 1), options().orderingKey("o"));
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
            if (step.k().equals("running")) {
                inside.countDown();
                go.await();
            }
            engineFixture.effect(step, delivery.attempt());
            return Outcome.done();
        })));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        Enqueued ready =
                engineFixture.enqueue(Q, new Step("ready", 1), options().orderingKey("o"));
        Enqueued scheduled =
                engineFixture.enqueue(Q, new Step("scheduled", 1), options().delay(Duration.ofHours(1)));
        List.of(running, ready, scheduled).forEach(this::losesOn);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isEqualTo(2);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_scheduled")).isEqualTo(1);
        go.countDown();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message") == 0);
        losesOn(running);
        assertThat(engineFixture.strings("SELECT k FROM effect ORDER BY id")).containsExactly("running", "ready");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_audit"))
                .as("what did not happen is not recorded")
                .isZero();
    }

    private void losesOn(Enqueued message) {
        DeadLetters letters = engineFixture.sender().deadLetters();
        assertThat(letters.replay(message.id(), "ann", "again")).isFalse();
        assertThat(letters.discard(message.id(), "ann", "obsolete")).isFalse();
    }

    /** It was replayed, and runs again: what an operator has seen before is over. */
    @Test
    void losesWithALetterThatHasBeenReplayedMeanwhile() throws Exception {
        AtomicBoolean works = new AtomicBoolean();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    if (!works.get()) {
                        return Outcome.dead("no stock");
                    }
                    inside.countDown();
                    go.await();
                    engineFixture.effect(step, delivery.attempt());
                    return Outcome.done();
                })
                .withRetry(ONCE)));
        Enqueued message = engineFixture.enqueue(Q, new Step("a", 1), options());
        DeadLetters letters = engineFixture.sender().deadLetters();
        await().atMost(Duration.ofSeconds(30)).until(() -> letters.list(Q, 10).size() == 1);
        DeadLetter seen = letters.list(Q, 10).get(0);
        works.set(true);
        assertThat(letters.replay(message.id(), "bob", "stock is here")).isTrue();
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        losesOn(message);
        assertThat(letters.editAndReplay(seen, seen.payload(), "ann", "mended")).isFalse();
        go.countDown();
        engineFixture.drained();
        assertThat(letters.editAndReplay(seen, seen.payload(), "ann", "mended")).isFalse();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
        assertThat(letters.list(Q, 10)).isEmpty();
    }

    /** By SQL, past every guard: what runs is rolled back, told, and gone. */
    @Test
    void rollsBackWhatRunsWhenItsRowIsDeletedByHand() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<MessageId> fenced = new AtomicReference<>();
        engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void fenced(MessageId id) {
                        fenced.set(id);
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.attempt());
                    inside.countDown();
                    go.await();
                    return Outcome.done();
                })));
        Enqueued message = engineFixture.enqueue(Q, new Step("a", 1), options());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engineFixture.sql("DELETE FROM acidq_message")).isEqualTo(1);
        go.countDown();
        await().atMost(Duration.ofSeconds(30)).until(() -> message.id().equals(fenced.get()));
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
    }

    /**
     * Operators replay and discard at random for as long as messages die and run, a queue is paused and resumed, and nodes are buried
     * alive. In the end each message was either discarded by an operator who was told so, or done once.
     */
    @Test
    void doesOrDiscardsEachMessageOnceWhileOperatorsPauseReplayAndDiscardAndNodesAreBuried() throws Exception {
        int messages = 60;
        Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
        UnaryEngine engine = () -> engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.node());
                    int run = runs.computeIfAbsent(step.seq(), seq -> new AtomicInteger())
                            .incrementAndGet();
                    return run < 4 ? Outcome.dead("not this time") : Outcome.done();
                })
                .withRetry(ONCE)
                .withConcurrency(4)));
        List<Engine> engines = List.of(engine.start(), engine.start());
        Map<MessageId, Long> sent = new ConcurrentHashMap<>();
        for (long seq = 1; seq <= messages; seq++) {
            sent.put(
                    engineFixture
                            .enqueue(Q, new Step("a", seq), options().orderingKey("k" + seq % 10))
                            .id(),
                    seq);
        }
        Set<Long> discarded = ConcurrentHashMap.newKeySet();
        Queue<String> twice = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> operators = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int operator = i;
            operators.add(new Thread(() -> operate(operator, sent, discarded, twice, over)));
        }
        operators.forEach(Thread::start);
        for (Engine buried : engines) {
            engineFixture.sender().control().pause(Q, "ann", "an incident");
            engineFixture.sql(
                    "UPDATE acidq_node SET state = 'DEAD', ended_at = UTC_TIMESTAMP(6) WHERE id = " + buried.node());
            engineFixture.sender().control().resume(Q, "ann", "it is over");
        }
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .until(this::isEmpty);
        over.set(true);
        for (Thread operator : operators) {
            operator.join(30_000);
        }
        assertThat(twice).isEmpty();
        assertThat(discarded).as("some were discarded, not all").isNotEmpty().hasSizeLessThan(messages);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(messages - discarded.size());
        assertThat(engineFixture.count("SELECT COUNT(DISTINCT seq) FROM effect"))
                .isEqualTo(messages - discarded.size());
        assertThat(engineFixture.strings("SELECT seq FROM effect"))
                .doesNotContainAnyElementsOf(
                        discarded.stream().map(String::valueOf).toList());
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_audit WHERE action = 'discard'"))
                .isEqualTo(discarded.size());
    }

    private interface UnaryEngine {
        Engine start();
    }

    private void operate(
            int operator, Map<MessageId, Long> sent, Set<Long> discarded, Queue<String> twice, AtomicBoolean over) {
        DeadLetters letters = engineFixture.sender().deadLetters();
        while (!over.get()) {
            for (DeadLetter letter : letters.list(Q, 20)) {
                long seq = sent.get(letter.id());
                if ((seq + operator) % 8 != 0) {
                    letters.replay(letter.id(), "operator " + operator, "again");
                } else if (letters.discard(letter.id(), "operator " + operator, "obsolete") && !discarded.add(seq)) {
                    twice.add("discarded twice: " + seq);
                }
            }
        }
    }

    private boolean isEmpty() {
        return engineFixture.count(
                        "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)"
                                + " + (SELECT COUNT(*) FROM acidq_dead)")
                == 0;
    }
}

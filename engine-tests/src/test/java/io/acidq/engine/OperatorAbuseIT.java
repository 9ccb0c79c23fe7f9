package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.Operator;
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
import org.junit.jupiter.api.Test;

/** Case 54 of docs/en/proof.md: operators act on messages in every state. Each action either takes effect or changes nothing. */
@AnyServer(ServerKind.MARIADB)
class OperatorAbuseIT extends FreshEngineTests {

    private static final String Q = "operated";

    @Test
    void changesNoMessageThatIsScheduledReadyRunningOrDone() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Enqueued running = enqueue(Q, new Step("running", 1), options().orderingKey("o"));
        listen(Q, (step, delivery) -> {
            if (step.k().equals("running")) {
                inside.countDown();
                go.await();
            }
            return effectOfAttempt(step, delivery);
        });
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        Enqueued ready = enqueue(Q, new Step("ready", 1), options().orderingKey("o"));
        Enqueued scheduled = enqueue(Q, new Step("scheduled", 1), options().delay(Duration.ofHours(1)));
        List.of(running, ready, scheduled).forEach(this::losesOn);
        assertThat(rows("acidq_message")).isEqualTo(2);
        assertThat(rows("acidq_scheduled")).isEqualTo(1);
        go.countDown();
        awaitRows("acidq_message", 0);
        losesOn(running);
        assertThat(strings("SELECT k FROM effect ORDER BY id")).containsExactly("running", "ready");
        assertThat(rows("acidq_audit"))
                .as("what did not happen is not recorded")
                .isZero();
    }

    private void losesOn(Enqueued message) {
        DeadLetters letters = deadLetters();
        assertThat(letters.replay(message.id(), new Operator("ann", "again"))).isFalse();
        assertThat(letters.discard(message.id(), new Operator("ann", "obsolete")))
                .isFalse();
    }

    /** The letter was replayed and runs again, so that what the operator saw is outdated. */
    @Test
    void changesNothingForALetterThatWasReplayed() throws Exception {
        AtomicBoolean works = new AtomicBoolean();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        listen(on(Q, (step, delivery) -> {
                    if (!works.get()) {
                        return Outcome.dead("no stock");
                    }
                    inside.countDown();
                    go.await();
                    return effectOfAttempt(step, delivery);
                })
                .withRetry(ONE_ATTEMPT));
        Enqueued message = enqueue(Q, new Step("a", 1));
        DeadLetters letters = deadLetters();
        awaitUntil(() -> letters.list(Q, 10).size() == 1);
        DeadLetter seen = letters.list(Q, 10).get(0);
        works.set(true);
        assertThat(letters.replay(message.id(), new Operator("bob", "stock is here")))
                .isTrue();
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        losesOn(message);
        assertThat(letters.editAndReplay(seen, seen.payload(), new Operator("ann", "mended")))
                .isFalse();
        go.countDown();
        awaitDrained();
        assertThat(letters.editAndReplay(seen, seen.payload(), new Operator("ann", "mended")))
                .isFalse();
        assertThat(effects()).isEqualTo(1);
        assertThat(letters.list(Q, 10)).isEmpty();
    }

    /** The row of a running message is deleted by SQL. */
    @Test
    void rollsBackARunWhoseRowIsDeletedByHand() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        RecordedTelemetry telemetry = new RecordedTelemetry();
        engine(e -> e.telemetry(telemetry).listen(on(Q, (step, delivery) -> {
            insertEffect(step, delivery.attempt());
            inside.countDown();
            go.await();
            return Outcome.done();
        })));
        Enqueued message = enqueue(Q, new Step("a", 1));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(sql("DELETE FROM acidq_message")).isEqualTo(1);
        go.countDown();
        awaitUntil(() -> telemetry.fenced.contains(message.id()));
        assertThat(effects()).isZero();
        assertThat(rows("acidq_dead")).isZero();
    }

    /**
     * Operators replay and discard at random for as long as messages run and are dead-lettered, a queue is paused and resumed, and living nodes
     * are declared dead. In the end each message was either discarded with a result that said so, or done once.
     */
    @Test
    void runsOrDiscardsEachMessageOnceWithConcurrentOperatorsAndDeadNodes() throws Exception {
        int messages = 60;
        Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
        UnaryEngine engine = () -> listen(on(Q, (step, delivery) -> {
                    insertEffect(step, delivery.node());
                    int run = runs.computeIfAbsent(step.seq(), seq -> new AtomicInteger())
                            .incrementAndGet();
                    return run < 4 ? Outcome.dead("not this time") : Outcome.done();
                })
                .withRetry(ONE_ATTEMPT)
                .withConcurrency(4));
        List<Engine> engines = List.of(engine.start(), engine.start());
        Map<MessageId, Long> sent = new ConcurrentHashMap<>();
        for (long seq = 1; seq <= messages; seq++) {
            sent.put(
                    enqueue(Q, new Step("a", seq), options().orderingKey("k" + seq % 10))
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
        for (Engine declaredDead : engines) {
            sender().control().pause(Q, new Operator("ann", "an incident"));
            sql("UPDATE acidq_node SET state = 'DEAD', ended_at = UTC_TIMESTAMP(6) WHERE id = " + declaredDead.node());
            sender().control().resume(Q, new Operator("ann", "it is over"));
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
        assertThat(effects()).isEqualTo(messages - discarded.size());
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(messages - discarded.size());
        assertThat(strings("SELECT seq FROM effect"))
                .doesNotContainAnyElementsOf(
                        discarded.stream().map(String::valueOf).toList());
        assertThat(rows("acidq_audit WHERE action = 'discard'")).isEqualTo(discarded.size());
    }

    private interface UnaryEngine {
        Engine start();
    }

    private void operate(
            int operator, Map<MessageId, Long> sent, Set<Long> discarded, Queue<String> twice, AtomicBoolean over) {
        DeadLetters letters = deadLetters();
        while (!over.get()) {
            for (DeadLetter letter : letters.list(Q, 20)) {
                long seq = sent.get(letter.id());
                if ((seq + operator) % 8 != 0) {
                    letters.replay(letter.id(), new Operator("operator " + operator, "again"));
                } else if (letters.discard(letter.id(), new Operator("operator " + operator, "obsolete"))
                        && !discarded.add(seq)) {
                    twice.add("discarded twice: " + seq);
                }
            }
        }
    }

    private boolean isEmpty() {
        return count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)"
                        + " + (SELECT COUNT(*) FROM acidq_dead)")
                == 0;
    }
}

package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.DeadHeadPolicy;
import io.acidq.Enqueued.Result;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Messages;
import io.acidq.admin.Messages.BulkCancellation;
import io.acidq.admin.Messages.CancelResult;
import io.acidq.admin.Operator;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that an operator cancels, on a real server. */
@AnyServer(ServerKind.MARIADB)
class CancelIT extends FreshEngineTests {

    private static final String Q = "reports";
    private static final Duration HOUR = Duration.ofHours(1);

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger starts = new AtomicInteger();

    private CancelResult cancel(MessageId id) {
        return sender().messages().cancel(id, new Operator("ann", "INC-4711"));
    }

    private List<String> audit(MessageId id) {
        return sender().audit().of(id).stream()
                .map(e -> e.actor() + ' ' + e.action() + ' ' + e.reason() + ": " + e.detail())
                .toList();
    }

    /** Waits until the handler is to stop, then does what the test says. */
    private Outcome awaitRequest(io.acidq.Delivery delivery) throws InterruptedException {
        starts.incrementAndGet();
        started.countDown();
        awaitUntil(delivery::isCancelRequested);
        return Outcome.done();
    }

    @Test
    void removesAMessageThatWaitsInItsLaneAndKeepsItsKey() {
        MessageId id = enqueue(Q, new Step("a", 1), options().key("k")).id();
        assertThat(cancel(id)).isEqualTo(CancelResult.CANCELLED);
        assertThat(audit(id)).containsExactly("ann cancel INC-4711: it waited: lane");
        assertThat(cancel(id)).isEqualTo(CancelResult.GONE);
        assertThat(enqueue(Q, new Step("a", 1), options().key("k")).result()).isEqualTo(Result.DUPLICATE);
        assertThat(rows("acidq_message") + rows("acidq_cancel")).isZero();
    }

    @Test
    void removesAScheduledMessage() {
        MessageId id = enqueue(Q, new Step("a", 1), options().delay(HOUR)).id();
        assertThat(cancel(id)).isEqualTo(CancelResult.CANCELLED);
        assertThat(rows("acidq_scheduled")).isZero();
    }

    private static BulkAction byAnn() {
        return BulkAction.by("ann", "INC-4711");
    }

    @Test
    void cancelsTheMessagesThatAFilterSelectsInChunks() {
        place(Q, 1, 250);
        enqueue(Q, new Step("later", 1), options().delay(HOUR));
        enqueueOrdered(Q, "other", 1);
        Messages messages = sender().messages();
        MessageFilter all = MessageFilter.of(Q);
        assertThat(messages.cancel(all, byAnn().asDryRun())).isEqualTo(new BulkCancellation(true, 252, 0, 0, true));
        assertThat(messages.cancel(all.withOrderingKey("other"), byAnn()))
                .isEqualTo(new BulkCancellation(false, 1, 0, 0, true));
        assertThat(messages.cancel(all, byAnn().withLimit(100)))
                .isEqualTo(new BulkCancellation(false, 100, 0, 0, false));
        assertThat(messages.cancel(all.withType("another"), byAnn()))
                .isEqualTo(new BulkCancellation(false, 0, 0, 0, true));
        assertThat(messages.cancel(all, byAnn())).isEqualTo(new BulkCancellation(false, 151, 0, 0, true));
        assertThat(rows("acidq_message") + rows("acidq_scheduled")).isZero();
        assertThat(rows("acidq_audit WHERE action = 'cancel' AND uid IS NULL")).isEqualTo(3);
        assertThat(rows("acidq_audit WHERE bulk <> 0")).isEqualTo(252);
        assertThat(strings("SELECT filter FROM acidq_audit WHERE filter <> '' ORDER BY id"))
                .containsExactly("queue=reports orderingKey=other", "queue=reports", "queue=reports");
    }

    @Test
    void cancelsByTypeAndEnqueueTime() {
        place(Q, 1, 3);
        enqueue(Q, List.of("another type"));
        Engine engine = sender();
        Instant incident = Instant.now().plusSeconds(60);
        String type =
                strings("SELECT type FROM acidq_message ORDER BY id LIMIT 1").get(0);
        // snippet:bulk
        BulkCancellation result = engine.messages()
                .cancel(
                        MessageFilter.of("reports").withType(type).withEnqueuedBefore(incident),
                        BulkAction.by("ann", "INC-4711").withLimit(5_000).withPerSecond(500));
        // /snippet
        assertThat(result).isEqualTo(new BulkCancellation(false, 3, 0, 0, true));
        assertThat(rows("acidq_message")).isEqualTo(1);
    }

    @Test
    void tellsTelemetryOnceHowManyABulkCancellationHasCancelled() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Engine telling = engine(e -> e.telemetry(new Telemetry() {
            @Override
            public void cancelled(MessageId id, String actor) {
                told.add(actor + " " + id);
            }

            @Override
            public void bulkCancelled(String queue, int messages, String actor) {
                told.add(actor + " " + queue + " " + messages);
            }
        }));
        place(Q, 1, 150);
        enqueue(Q, new Step("later", 1), options().delay(HOUR));
        telling.messages().cancel(MessageFilter.of(Q), byAnn());
        assertThat(told).containsExactly("ann " + Q + " 151");
    }

    @Test
    void asksClaimedMessagesToStopOnlyIfTheFilterSelectsThem() throws Exception {
        listen(on(Q, (step, delivery) -> awaitRequest(delivery)).withConcurrency(1));
        enqueue(Q, new Step("a", 1));
        started.await();
        Messages messages = sender().messages();
        MessageFilter all = MessageFilter.of(Q);
        assertThat(messages.cancel(all, byAnn())).isEqualTo(new BulkCancellation(false, 0, 0, 0, true));
        assertThat(messages.cancel(all.withClaimed(), byAnn().asDryRun()))
                .isEqualTo(new BulkCancellation(true, 0, 1, 0, true));
        assertThat(messages.cancel(all.withClaimed(), byAnn())).isEqualTo(new BulkCancellation(false, 0, 1, 0, true));
        awaitDrained();
    }

    @Test
    void removesTheHeadOfAKeySoThatTheNextRuns() {
        MessageId head = enqueueOrdered(Q, "a", 1).id();
        enqueueOrdered(Q, "a", 2);
        listen(on(Q, (step, delivery) -> {
                    if (step.seq() == 1) {
                        started.countDown();
                        throw new IllegalStateException("no");
                    }
                    return effect(step, delivery);
                })
                .withRetry(RetryPolicy.defaults().withFixedBackoff(HOUR)));
        awaitRows("acidq_message WHERE owner = 0 AND attempts = 1", 1);
        assertThat(cancel(head)).isEqualTo(CancelResult.CANCELLED);
        awaitDrained();
        assertThat(seqsOf("a")).containsExactly("2");
    }

    @Test
    void removesParkedMessagesFromTheFirstToTheLast() {
        engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK)))
                .listen(on(Q, (step, delivery) -> step.seq() == 1 ? Outcome.dead("no") : effect(step, delivery))));
        enqueueOrdered(Q, "a", 1);
        awaitRows("acidq_dead", 1);
        List<MessageId> ids = new ArrayList<>();
        for (int seq = 2; seq <= 5; seq++) {
            ids.add(enqueueOrdered(Q, "a", seq).id());
        }
        awaitRows("acidq_parked", 4);
        assertThat(cancel(ids.get(0))).isEqualTo(CancelResult.CANCELLED);
        assertThat(cancel(ids.get(2))).isEqualTo(CancelResult.CANCELLED);
        enqueueOrdered(Q, "a", 6);
        awaitRows("acidq_parked", 3);
        deadLetters().discard(deadLetters().list(Q, 1).get(0).id());
        awaitDrained();
        assertThat(seqsOf("a")).containsExactly("3", "5", "6");
        assertThat(rows("acidq_parked")).isZero();
    }

    /** A marker that stayed would lie where a later one is made. */
    @Test
    void removesAllParkedMessagesOfAKey() {
        engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK)))
                .listen(on(Q, (step, delivery) -> step.seq() == 1 ? Outcome.dead("no") : effect(step, delivery))));
        enqueueOrdered(Q, "a", 1);
        awaitRows("acidq_dead", 1);
        MessageId only = enqueueOrdered(Q, "a", 2).id();
        awaitRows("acidq_parked", 1);
        assertThat(cancel(only)).isEqualTo(CancelResult.CANCELLED);
        enqueueOrdered(Q, "a", 3);
        awaitRows("acidq_parked", 1);
        deadLetters().discard(deadLetters().list(Q, 1).get(0).id());
        awaitDrained();
        assertThat(seqsOf("a")).containsExactly("3");
    }

    @Test
    void refusesADeadLetterAndAnUnknownQueue() {
        listen(on(Q, (step, delivery) -> Outcome.dead("no")));
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        awaitRows("acidq_dead", 1);
        assertThatThrownBy(() -> cancel(id))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("is a dead letter")
                .hasMessageContaining("discard it");
        assertThatThrownBy(() -> cancel(new MessageId("never.used", 0, id.uid())))
                .isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> sender().messages().cancel(id, new Operator(" ", "why")))
                .isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void letsARunThatEndsAsDoneWin() throws Exception {
        listen(on(Q, (step, delivery) -> {
            awaitRequest(delivery);
            return effect(step, delivery);
        }));
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        started.await();
        assertThat(cancel(id)).isEqualTo(CancelResult.REQUESTED);
        assertThat(audit(id)).containsExactly("ann cancel INC-4711: it was claimed: cancel requested");
        awaitDrained();
        assertThat(effects()).isOne();
        awaitRows("acidq_cancel", 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "retry", "snooze", "dead"})
    void removesARunThatStopsAndDoesNotRetryIt(String end) throws Exception {
        listen(on(Q, (step, delivery) -> {
            insertEffect(step, 1);
            awaitRequest(delivery);
            return switch (end) {
                case "retry" -> Outcome.retryAfter(Duration.ZERO);
                case "snooze" -> Outcome.snooze(Duration.ofMillis(1));
                case "dead" -> Outcome.dead("no");
                default -> throw new IllegalStateException("stopped");
            };
        }));
        MessageId id = enqueue(Q, new Step("a", 1), options().orderingKey(end.equals("snooze") ? "a" : "b"))
                .id();
        started.await();
        assertThat(cancel(id)).isEqualTo(CancelResult.REQUESTED);
        awaitDrained();
        assertThat(starts.get()).isOne();
        assertThat(effects() + rows("acidq_dead")).isZero();
        awaitRows("acidq_cancel", 0);
    }

    /** The request commits before the failure is written, and no node has read it. */
    @Test
    void doesNotRetryAFailureThatComesBeforeTheRequestIsRead() throws Exception {
        listen(on(Q, (step, delivery) -> {
            starts.incrementAndGet();
            started.countDown();
            release.await();
            throw new IllegalStateException("no");
        }));
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        started.await();
        assertThat(cancel(id)).isEqualTo(CancelResult.REQUESTED);
        release.countDown();
        awaitDrained();
        assertThat(starts.get()).isOne();
        assertThat(rows("acidq_scheduled") + rows("acidq_dead")).isZero();
    }

    @Test
    void interruptsTheHandlerIfTheListenerWantsIt() throws Exception {
        listen(on(Q, (step, delivery) -> {
                    starts.incrementAndGet();
                    started.countDown();
                    release.await();
                    return Outcome.done();
                })
                .withInterruptOnCancel());
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        started.await();
        assertThat(cancel(id)).isEqualTo(CancelResult.REQUESTED);
        awaitDrained();
        assertThat(starts.get()).isOne();
        assertThat(rows("acidq_dead")).isZero();
    }

    @Test
    void doesNotStartAMessageThatIsCancelledInTheBuffer() throws Exception {
        Engine engine = listen(on(Q, (step, delivery) -> {
                    if (step.seq() == 1) {
                        started.countDown();
                        release.await();
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(1));
        enqueue(Q, new Step("a", 1));
        started.await();
        MessageId second = enqueue(Q, new Step("a", 2)).id();
        awaitRows("acidq_message WHERE owner <> 0", 2);
        enqueue(Q, new Step("a", 3));
        assertThat(cancel(second)).isEqualTo(CancelResult.REQUESTED);
        // the engine has read the request when it has read a pause that came after it, and its end
        sender().control().pause(Q, new Operator("ann", "test"));
        awaitUntil(() -> engine.queues().get(0).paused());
        sender().control().resume(Q, new Operator("ann", "test"));
        awaitUntil(() -> !engine.queues().get(0).paused());
        release.countDown();
        awaitDrained();
        assertThat(seqsOf("a")).containsExactly("1", "3");
    }

    @Test
    void removesAnAskedMessageOfADeadNode() throws Exception {
        Engine frozen = listen(on(Q, (step, delivery) -> {
            starts.incrementAndGet();
            started.countDown();
            release.await();
            return effect(step, delivery);
        }));
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        started.await();
        assertThat(cancel(id)).isEqualTo(CancelResult.REQUESTED);
        declareDead(frozen);
        listen(on("other", this::effect)); // rescues
        awaitRows("acidq_message", 0);
        release.countDown();
        awaitRows("acidq_cancel", 0);
        assertThat(starts.get()).isOne();
        assertThat(effects()).isZero();
    }

    @Test
    void removesAnAskedMessageWhenItsEngineStops() throws Exception {
        Engine engine = listen(on(Q, (step, delivery) -> {
            starts.incrementAndGet();
            started.countDown();
            release.await();
            return effect(step, delivery);
        }));
        MessageId id = enqueue(Q, new Step("a", 1)).id();
        started.await();
        assertThat(cancel(id)).isEqualTo(CancelResult.REQUESTED);
        engine.stop(Duration.ZERO);
        assertThat(rows("acidq_message")).isZero();
        assertThat(effects()).isZero();
    }

    /** Each answer is compared with what has happened, while workers fail, retry and finish. */
    @Test
    void answersTruthfullyInARaceAgainstTheWorkers() throws Exception {
        int messages = 600;
        Map<Long, AtomicInteger> startsOf = new ConcurrentHashMap<>();
        List<MessageId> ids = new ArrayList<>();
        enqueueAll(Q, steps("m", 0, messages - 1, options())).forEach(e -> ids.add(e.id()));
        for (int i = 0; i < 2; i++) {
            listen(on(Q, (step, delivery) -> {
                        startsOf.computeIfAbsent(step.seq(), s -> new AtomicInteger())
                                .incrementAndGet();
                        insertEffect(step, delivery.node());
                        return step.seq() % 3 == 0 && delivery.attempt() < 3
                                ? Outcome.retryAfter(Duration.ofMillis(5))
                                : Outcome.done();
                    })
                    .withConcurrency(2));
        }
        Map<Integer, CancelResult> answers = new ConcurrentHashMap<>();
        Map<Integer, Integer> startsAtAnswer = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            int first = thread;
            running.add(threads.submit(() -> {
                for (int i = messages - 1 - first; i >= 0; i -= 3) {
                    CancelResult answer = cancel(ids.get(i));
                    AtomicInteger count = startsOf.get((long) i);
                    answers.put(i, answer);
                    startsAtAnswer.put(i, count == null ? 0 : count.get());
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        threads.shutdown();
        awaitDrained();
        List<String> done = strings("SELECT seq FROM effect");
        assertThat(done).doesNotHaveDuplicates();
        for (int i = 0; i < messages; i++) {
            boolean hasEffect = done.contains(String.valueOf(i));
            switch (answers.get(i)) {
                case CANCELLED -> {
                    assertThat(hasEffect).as("effect of cancelled " + i).isFalse();
                    AtomicInteger count = startsOf.get((long) i);
                    assertThat(count == null ? 0 : count.get())
                            .as("no start of " + i + " after it was cancelled")
                            .isEqualTo(startsAtAnswer.get(i));
                }
                case GONE -> assertThat(hasEffect).as("effect of gone " + i).isTrue();
                default -> {} // asked: done or removed
            }
        }
        assertThat(rows("acidq_dead")).isZero();
        awaitRows("acidq_cancel", 0);
    }
}

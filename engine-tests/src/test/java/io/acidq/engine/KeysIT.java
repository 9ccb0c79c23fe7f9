package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.Enqueued.Result.DEBOUNCED;
import static io.acidq.Enqueued.Result.DUPLICATE;
import static io.acidq.Enqueued.Result.ENQUEUED;
import static io.acidq.Enqueued.Result.REPLACED;
import static io.acidq.Enqueued.Result.SUCCESSOR;
import static io.acidq.Enqueued.Result.THROTTLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.admin.Operator;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users do with message keys, on a real server. */
class KeysIT extends FreshEngineTests {

    private static final String Q = "reminder";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final OnDuplicate REPLACE = OnDuplicate.replace();

    private QueueRow queue;

    @BeforeEach
    void openQueue() {
        queue = store.queues().openQueue(Q);
    }

    @Test
    void runsADebouncedMessageOnceWithItsLastPayload() throws Exception {
        // snippet:debounce
        OnDuplicate quiet = OnDuplicate.debounce(Duration.ofDays(1));
        EnqueueOptions whenQuiet =
                options().key("cart-7").delay(Duration.ofMillis(400)).onDuplicate(quiet);
        // /snippet
        List<Enqueued> calls = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            calls.add(enqueue(Q, new Step("cart-7", i), whenQuiet));
        }
        assertThat(calls).extracting(Enqueued::result).containsExactly(ENQUEUED, DEBOUNCED, DEBOUNCED);
        assertThat(calls).extracting(Enqueued::id).containsOnly(calls.get(0).id());

        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactly("cart-7 3");
    }

    @Test
    void endsADebounceAtItsMaximumWait() throws Exception {
        EnqueueOptions debounced =
                options().key("k").delay(HOUR).onDuplicate(OnDuplicate.debounce(Duration.ofHours(3)));
        enqueue(Q, new Step("k", 1), debounced);
        sql("UPDATE acidq_key SET taken_at = TIMESTAMPADD(MINUTE, -30, taken_at)");
        enqueue(Q, new Step("k", 2), debounced);
        assertThat(minutesUntilDue()).isBetween(59L, 60L);
        sql("UPDATE acidq_key SET taken_at = TIMESTAMPADD(MINUTE, -150, taken_at)");
        assertThat(enqueue(Q, new Step("k", 3), debounced).result()).isEqualTo(DEBOUNCED);

        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 3");
    }

    @Test
    void replacesAMessageThatIsNotDueAndItsDueTime() throws Exception {
        Enqueued first = enqueue(Q, new Step("k", 1), options().key("k").delay(HOUR));
        Enqueued second = enqueue(
                Q,
                new Step("k", 2),
                options().key("k").header("h", "2").onDuplicate(REPLACE).delay(HOUR.multipliedBy(5)));
        assertThat(minutesUntilDue()).isBetween(299L, 300L);
        Enqueued third = enqueue(Q, new Step("k", 3), options().key("k").onDuplicate(REPLACE));

        assertThat(List.of(second, third)).containsOnly(new Enqueued(first.id(), REPLACED));
        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 3");
    }

    @Test
    void undoesAReplacementThatRollsBack() throws Exception {
        EnqueueOptions soon = options().key("k").delay(Duration.ofMillis(300)).onDuplicate(REPLACE);
        enqueue(Q, new Step("k", 1), soon);
        assertThatThrownBy(() -> transactions.call(() -> {
                    queue().enqueue(Q, new Step("k", 2), soon.delay(HOUR));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 1");
    }

    @Test
    void startsASuccessorAfterTheRunningMessage() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        listen(on(Q, (step, delivery) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    inside.countDown();
                    go.await(30, TimeUnit.SECONDS);
                    insertEffect(step, delivery.node());
                    running.decrementAndGet();
                    return Outcome.done();
                })
                .withConcurrency(4));
        EnqueueOptions replacing = options().key("k").onDuplicate(REPLACE);
        Enqueued first = enqueue(Q, new Step("k", 1), replacing);
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        Enqueued second = enqueue(Q, new Step("k", 2), replacing);
        Enqueued third = enqueue(Q, new Step("k", 3), replacing.delay(Duration.ofMillis(50)));
        go.countDown();
        awaitDrained();

        assertThat(List.of(first.result(), second.result(), third.result()))
                .containsExactly(ENQUEUED, SUCCESSOR, SUCCESSOR);
        assertThat(inOrder()).containsExactly("k 1", "k 2", "k 3");
        assertThat(most).hasValue(1);
    }

    @Test
    void startsASuccessorAfterTheRetriesOfItsPredecessor() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        EnqueueOptions replacing = options().key("k").onDuplicate(REPLACE);
        listen(on(Q, (step, delivery) -> {
                    if (runs.incrementAndGet() == 1) {
                        Enqueued next = runAsync(() -> enqueue(Q, new Step("k", 2), replacing))
                                .orTimeout(30, TimeUnit.SECONDS)
                                .join(); // in a transaction of its own: this one will be rolled back
                        assertThat(next.result()).isEqualTo(SUCCESSOR);
                        throw new IllegalStateException("once");
                    }
                    return effect(step, delivery);
                })
                .withRetry(RetryPolicy.defaults().withFixedBackoff(Duration.ofMillis(200))));
        enqueue(Q, new Step("k", 1), replacing);
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 1", "k 2");
    }

    @Test
    void givesTheKeyOfADeadLetterToTheSuccessor() throws Exception {
        EnqueueOptions replacing = options().key("k").onDuplicate(REPLACE);
        listen(Q, (step, delivery) -> step.seq() == 1 ? Outcome.dead("no") : effect(step, delivery));
        MessageId first = enqueue(Q, new Step("k", 1), replacing).id();
        awaitDrained();
        Enqueued second = enqueue(Q, new Step("k", 2), replacing);
        awaitDrained();

        assertThat(second.result()).isEqualTo(SUCCESSOR);
        assertThat(inOrder()).containsExactly("k 2");
        assertThatThrownBy(() -> deadLetters().replay(first, new Operator("ann", "try")))
                .as("the newer content has run, the older must not run after it")
                .hasMessageContaining("another message now holds its message key");
        assertThat(deadLetters().discard(first)).isTrue();
    }

    @Test
    void addsASuccessorOfADoneMessageOnlyForReplace() throws Exception {
        listen();
        MessageId first = enqueue(Q, new Step("k", 1), options().key("k")).id();
        awaitDrained();
        assertThat(enqueue(Q, new Step("k", 2), options().key("k"))).isEqualTo(new Enqueued(first, DUPLICATE));

        Enqueued next = enqueue(Q, new Step("k", 3), options().key("k").onDuplicate(REPLACE));
        assertThat(next.result()).isEqualTo(SUCCESSOR);
        assertThat(next.id()).isNotEqualTo(first);
        assertThat(enqueue(Q, new Step("k", 4), options().key("k"))).isEqualTo(new Enqueued(next.id(), DUPLICATE));
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 1", "k 3");
    }

    @Test
    void doesNotOvertakeAPredecessorThatIsDueAndNotYetMoved() throws Exception {
        EnqueueOptions replacing = options().key("k").onDuplicate(REPLACE);
        enqueue(Q, new Step("k", 1), replacing.at(Instant.parse("2020-01-01T00:00:00Z")));
        assertThat(enqueue(Q, new Step("k", 2), replacing).result()).isEqualTo(SUCCESSOR);
        assertThat(enqueue(Q, new Step("k", 3), replacing.at(Instant.parse("2019-01-01T00:00:00Z")))
                        .result())
                .isEqualTo(SUCCESSOR);
        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 1", "k 2", "k 3");
    }

    @Test
    void addsOneMessageForEachThrottlePeriod() throws Exception {
        EnqueueOptions perHour = options().key("k").onDuplicate(OnDuplicate.throttle(HOUR));
        MessageId first = enqueue(Q, new Step("k", 1), perHour).id();
        assertThat(enqueue(Q, new Step("k", 2), perHour)).isEqualTo(new Enqueued(first, THROTTLED));
        anHourPasses();
        assertThat(enqueue(Q, new Step("k", 3), perHour))
                .as("the period is over, its message is not")
                .isEqualTo(new Enqueued(first, THROTTLED));
        listen();
        awaitDrained();
        assertThat(enqueue(Q, new Step("k", 4), perHour).result()).isEqualTo(ENQUEUED);
        awaitDrained();
        assertThat(enqueue(Q, new Step("k", 5), perHour).result()).isEqualTo(THROTTLED);
        assertThat(inOrder()).containsExactly("k 1", "k 4");
    }

    @Test
    void rejectsWithTheHoldersNameAndLeavesTheTransactionUsable() throws Exception {
        EnqueueOptions rejecting = options().key("k").onDuplicate(OnDuplicate.reject());
        MessageId first = enqueue(Q, new Step("k", 1), rejecting).id();
        transactions.call(() -> {
            assertThatThrownBy(() -> queue().enqueue(Q, new Step("k", 2), rejecting))
                    .isInstanceOfSatisfying(
                            KeyTakenException.class, e -> assertThat(e.holder()).isEqualTo(first))
                    .hasMessageContaining(first.toString())
                    .hasMessageContaining("'k'");
            List<NewMessage> bulk = List.of(message("free", 3, null), message("k", 4, OnDuplicate.reject()));
            assertThatThrownBy(() -> queue().enqueueAll(Q, bulk)).isInstanceOf(KeyTakenException.class);
            return queue().enqueue(Q, new Step("free", 5), options().key("free"));
        });
        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactlyInAnyOrder("k 1", "free 5");
    }

    @Test
    void appliesThePoliciesOfABulkInOrder() throws Exception {
        MessageId taken = enqueue(
                        Q, new Step("taken", 0), options().key("taken").delay(HOUR))
                .id();
        List<Enqueued> results = transactions.call(() -> queue().enqueueAll(
                        Q,
                        List.of(
                                message("taken", 1, REPLACE),
                                message("new", 2, null),
                                NewMessage.of(new Step("none", 3)),
                                message("new", 4, OnDuplicate.throttle(HOUR)),
                                message("new", 5, REPLACE),
                                message("later", 6, REPLACE, HOUR),
                                message("later", 7, OnDuplicate.debounce(), HOUR),
                                message("later", 8, REPLACE),
                                message("taken", 9, null))));

        assertThat(results)
                .extracting(Enqueued::result)
                .containsExactly(
                        REPLACED, ENQUEUED, ENQUEUED, THROTTLED, SUCCESSOR, ENQUEUED, DEBOUNCED, REPLACED, DUPLICATE);
        assertThat(List.of(results.get(0).id(), results.get(8).id())).containsOnly(taken);
        assertThat(List.of(results.get(6).id(), results.get(7).id()))
                .containsOnly(results.get(5).id());
        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactlyInAnyOrder("taken 1", "new 2", "none 3", "new 5", "later 8");
    }

    @Test
    void replacesManyMessagesInOneBulk() throws Exception {
        for (int round = 0; round < 3; round++) {
            int seq = round;
            List<NewMessage> bulk = IntStream.range(0, 1203)
                    .mapToObj(i -> message("k" + i, seq, REPLACE, seq == 2 ? Duration.ZERO : HOUR))
                    .toList();
            List<Enqueued> results = transactions.call(() -> queue().enqueueAll(Q, bulk));
            assertThat(results).extracting(Enqueued::result).containsOnly(seq == 0 ? ENQUEUED : REPLACED);
        }
        assertThat(rows("acidq_key WHERE scheduled_id = 0")).isZero();
        listen();
        awaitDrained();
        assertThat(rows("effect WHERE seq = 2")).isEqualTo(1203);
        assertThat(effects()).isEqualTo(1203);
    }

    @Test
    void debouncesFiftyConcurrentCallsToOneMessageAndFailsNone() throws Exception {
        EnqueueOptions debounced = options().key("k").delay(HOUR).onDuplicate(OnDuplicate.debounce());
        CountDownLatch go = new CountDownLatch(1);
        List<CompletableFuture<Enqueued>> calls = IntStream.range(0, 50)
                .mapToObj(i -> runAsync(() -> {
                    go.await();
                    return transactions.call(() -> {
                        rows("acidq_key"); // nothing of this transaction
                        try (var read = transactions.connection().createStatement()) {
                            read.executeQuery("SELECT COUNT(*) FROM acidq_scheduled"); // an old snapshot
                        }
                        return queue().enqueue(Q, new Step("k", i), debounced);
                    });
                }))
                .toList();
        go.countDown();
        List<Enqueued> answers = calls.stream()
                .map(c -> c.orTimeout(60, TimeUnit.SECONDS).join())
                .toList();

        assertThat(answers.stream().filter(a -> a.result() == ENQUEUED)).hasSize(1);
        assertThat(answers.stream().filter(a -> a.result() == DEBOUNCED)).hasSize(49);
        assertThat(answers).extracting(Enqueued::id).containsOnly(answers.get(0).id());
        assertThat(rows("acidq_scheduled")).isEqualTo(1);
    }

    @Test
    void runsTheLastReplacementOfEachKeyLastWhileMessagesBecomeDue() throws Exception {
        listen();
        int calls = 60;
        List<CompletableFuture<Long>> keys = IntStream.range(0, 6)
                .mapToObj(k -> runAsync(() -> {
                    long added = 0;
                    for (int seq = 1; seq <= calls; seq++) {
                        Duration delay = Duration.ofMillis(seq % 4 * 7L); // some fall due while they are replaced
                        added += enqueue(
                                                Q,
                                                new Step("k" + k, seq),
                                                options()
                                                        .key("k" + k)
                                                        .delay(delay)
                                                        .onDuplicate(REPLACE))
                                        .isAdded()
                                ? 1
                                : 0;
                    }
                    return added;
                }))
                .toList();
        long added = keys.stream()
                .mapToLong(k -> k.orTimeout(120, TimeUnit.SECONDS).join())
                .sum();
        awaitDrained();

        assertThat(effects()).isEqualTo(added).isLessThan(6 * calls);
        assertThat(rows("effect WHERE seq = " + calls)).isEqualTo(6);
        assertThat(rows("effect a JOIN effect b ON a.k = b.k AND a.id < b.id AND a.seq >= b.seq"))
                .isZero();
    }

    @Test
    void runsPredecessorAndSuccessorOnceInOrderWhenTheNodeOfTheFirstDies() throws Exception {
        EnqueueOptions replacing = options().key("k").onDuplicate(REPLACE);
        enqueue(Q, new Step("k", 1), replacing);
        int doomed = store.nodes().register(new NodeRow(Map.of(queue.id(), 1), "test", "test"));
        Lane lane = store.claims().lanesWithWork(List.of(queue.id())).get(0);
        store.claims()
                .claimDue(new ClaimRequest(
                        queue.id(), lane.lane(), doomed, 1, new Budget(100, 100, true), ClaimStrategy.LANES));

        assertThat(enqueue(Q, new Step("k", 2), replacing).result()).isEqualTo(SUCCESSOR);
        assertThat(enqueue(Q, new Step("k", 3), replacing.delay(Duration.ofMillis(100)))
                        .result())
                .isEqualTo(SUCCESSOR);
        assertThat(store.nodes().declareDeadIfSilent(new NodeHeartbeats(doomed, 0)))
                .isTrue();
        listen();
        awaitDrained();
        assertThat(inOrder()).containsExactly("k 1", "k 2", "k 3");
    }

    @Test
    void usesTheQueuesPolicyWhenACallNamesNone() throws Exception {
        Engine engine =
                engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withOnDuplicate(REPLACE))));
        EnqueueOptions later = options().key("k").delay(HOUR);
        List<Enqueued> results = transactions.call(() -> List.of(
                engine.queue().enqueue(Q, new Step("k", 1), later),
                engine.queue().enqueue(Q, new Step("k", 2), later),
                engine.queue().enqueue(Q, new Step("k", 3), later.onDuplicate(OnDuplicate.ignore()))));
        assertThat(results).extracting(Enqueued::result).containsExactly(ENQUEUED, REPLACED, DUPLICATE);
    }

    private static NewMessage message(String key, long seq, OnDuplicate policy) {
        return message(key, seq, policy, Duration.ZERO);
    }

    private static NewMessage message(String key, long seq, OnDuplicate policy, Duration delay) {
        return new NewMessage(
                new Step(key, seq), options().key(key).delay(delay).onDuplicate(policy));
    }

    private long minutesUntilDue() {
        return count("SELECT ROUND(TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(6), preexec_time) / 60) FROM acidq_scheduled");
    }

    private void anHourPasses() {
        sql("UPDATE acidq_key SET kept_until = TIMESTAMPADD(MINUTE, -61, kept_until), taken_at ="
                + " TIMESTAMPADD(MINUTE, -61, taken_at)");
    }

    private void listen() {
        listen(Q, (step, delivery) -> effect(step, delivery));
    }

    private List<String> inOrder() {
        return strings("SELECT CONCAT(k, ' ', seq) FROM effect ORDER BY id");
    }

    private static <T> CompletableFuture<T> runAsync(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}

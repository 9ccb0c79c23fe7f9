package io.acidq.engine.listener;

import static io.acidq.engine.listener.SimulatedRow.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Priority;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.RateLimit;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageBufferTest {

    private final AtomicBoolean fresh = new AtomicBoolean(true);
    private final SuspectSlot suspectSlot = new SuspectSlot();
    private final MessageBuffer buffer = new MessageBuffer(fresh::get, suspectSlot, StartGuards.NONE, message -> false);

    @Test
    void startsMessagesInTheOrderOfBatchThenId() throws Exception {
        ClaimedMessage later = message(2, 5, null, 0);
        ClaimedMessage first = message(1, 9, null, 0);
        buffer.put(List.of(later), false);
        buffer.put(List.of(first), false);
        assertThat(now()).isEqualTo(first);
        assertThat(now()).isEqualTo(later);
        assertThat(now()).isNull();
    }

    @Test
    void skipsAKeyThatRunsUntilItIsDone() throws Exception {
        ClaimedMessage a1 = message(1, 1, "a", 0);
        ClaimedMessage a2 = message(1, 2, "a", 0);
        ClaimedMessage b1 = message(1, 3, "b", 0);
        buffer.put(List.of(a1, a2, b1), false);
        assertThat(now()).isEqualTo(a1);
        assertThat(now()).isEqualTo(b1);
        assertThat(now()).isNull();
        buffer.finished(a1, false);
        assertThat(now()).isEqualTo(a2);
    }

    @Test
    void runsASuspectAlone() throws Exception {
        assertThat(suspectSlot.tryAcquire()).isTrue();
        ClaimedMessage plain = message(1, 1, null, 0);
        ClaimedMessage suspect = message(2, 2, null, 1);
        ClaimedMessage after = message(3, 3, null, 0);
        buffer.put(List.of(plain, suspect, after), false);
        assertThat(now()).isEqualTo(plain);
        assertThat(now())
                .as("the suspect waits for running messages and blocks later ones")
                .isNull();
        buffer.finished(plain, false);
        assertThat(now()).isEqualTo(suspect);
        assertThat(now()).as("nothing starts beside it").isNull();
        assertThat(suspectSlot.tryAcquire()).isFalse();
        buffer.finished(suspect, false);
        assertThat(now()).isEqualTo(after);
        assertThat(suspectSlot.tryAcquire())
                .as("the next suspect may be claimed")
                .isTrue();
    }

    @Test
    void removesTheFollowersOfAFailedMessage() throws Exception {
        ClaimedMessage head = message(1, 1, "a", 0);
        ClaimedMessage follower = message(1, 2, "a", 0);
        ClaimedMessage other = message(1, 3, "b", 0);
        buffer.put(List.of(head, follower, other), false);
        assertThat(now()).isEqualTo(head);
        assertThat(buffer.removeFollowers("a")).containsExactly(follower.claim());
        assertThat(buffer.removeFollowers(null)).isEmpty();
        buffer.finished(head, false);
        assertThat(now()).isEqualTo(other);
        assertThat(now()).isNull();
    }

    @Test
    void startsNothingWhileTheNodeIsNotFresh() throws Exception {
        buffer.put(List.of(message(1, 1, null, 0)), false);
        fresh.set(false);
        assertThat(now()).isNull();
        fresh.set(true);
        assertThat(now()).isNotNull();
    }

    @Test
    void wakesAWaitingWorkerForANewMessage() throws Exception {
        CompletableFuture<ClaimedMessage> taken = new CompletableFuture<>();
        Thread worker = new Thread(() -> {
            try {
                taken.complete(buffer.take(Duration.ofMinutes(1), 1).get(0));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        worker.start();
        ClaimedMessage message = message(1, 1, null, 0);
        buffer.put(List.of(message), false);
        assertThat(taken.get(30, TimeUnit.SECONDS)).isEqualTo(message);
    }

    @Test
    void removesUnstartedMessagesWhenItIsClosedAndStartsNoMore() throws Exception {
        ClaimedMessage running = message(1, 1, null, 0);
        ClaimedMessage waiting = message(1, 2, null, 0);
        buffer.put(List.of(running, waiting), false);
        assertThat(now()).isEqualTo(running);
        assertThat(buffer.close()).containsExactly(waiting.claim());
        buffer.put(List.of(message(2, 3, null, 0)), false);
        assertThat(now()).isNull();
        assertThat(buffer.awaitIdle(Duration.ZERO)).isFalse();
        buffer.finished(running, false);
        assertThat(buffer.awaitIdle(Duration.ZERO)).isTrue();
    }

    @Test
    void startsOnlyMessagesThatTheGuardsPermit() throws Exception {
        RateLimit two = RateLimit.of(2, Duration.ofDays(1));
        StartGuards guards = new StartGuards("q", List.of(two.guard("q", () -> 0)), () -> 0, new Telemetry() {});
        MessageBuffer guarded = new MessageBuffer(fresh::get, suspectSlot, guards, message -> false);
        guarded.put(List.of(message(1, 1, null, 0), message(1, 2, null, 0), message(1, 3, null, 0)), false);
        assertThat(guarded.take(Duration.ZERO, 1)).hasSize(1);
        assertThat(guarded.take(Duration.ZERO, 3))
                .as("each start needs a permit")
                .hasSize(1);
        assertThat(guarded.take(Duration.ZERO, 3)).isEmpty();
        assertThat(guarded.take(Duration.ofMillis(5), 1)).isEmpty();
        assertThat(guarded.counts()).isEqualTo(new MessageBuffer.Counts(1, 1, 2, 1));
        assertThat(guarded.removeUnstarted()).hasSize(1);
        assertThat(guarded.counts()).isEqualTo(new MessageBuffer.Counts(0, 0, 2, 1));
    }

    @Test
    void takesNoPermitForASuspectAtTheEndOfABatch() throws Exception {
        Guard places = new Bulkhead(3).guard("p", () -> 0);
        StartGuards guards = new StartGuards("q", List.of(places), () -> 0, new Telemetry() {});
        MessageBuffer guarded = new MessageBuffer(fresh::get, suspectSlot, guards, message -> false);
        ClaimedMessage one = message(1, 1, null, 0);
        ClaimedMessage two = message(1, 2, null, 0);
        guarded.put(List.of(one, two, message(1, 3, null, 1)), false);
        assertThat(guarded.take(Duration.ZERO, 3)).containsExactly(one, two);
        assertThat(places.state().permits()).isEqualTo(1);
    }

    @Test
    void startsAHighMessageBeforeThoseThatWaitAndEachPriorityInOrder() throws Exception {
        ClaimedMessage low = message(Priority.LOW, 1, 1, 0);
        ClaimedMessage normal = message(Priority.NORMAL, 2, 2, 0);
        ClaimedMessage secondHigh = message(Priority.HIGH, 4, 4, 0);
        ClaimedMessage firstHigh = message(Priority.HIGH, 3, 3, 0);
        buffer.put(List.of(low, normal), false);
        buffer.put(List.of(secondHigh, firstHigh), false);
        assertThat(buffer.take(Duration.ZERO, 4)).containsExactly(firstHigh, normal, low, secondHigh);
    }

    @Test
    void runsASuspectOfLowAloneUnderAStreamOfHigh() throws Exception {
        assertThat(suspectSlot.tryAcquire()).isTrue();
        ClaimedMessage suspect = message(Priority.LOW, 1, 1, 1);
        buffer.put(List.of(suspect), false);
        ClaimedMessage running = null;
        int before = 0;
        for (long id = 2; running == null || !running.isSuspect(); id++, before++) {
            buffer.put(List.of(message(Priority.HIGH, id, id, 0)), false);
            if (running != null) {
                buffer.finished(running, false);
            }
            running = now();
        }
        assertThat(before).isLessThanOrEqualTo(16);
        assertThat(now()).as("nothing starts beside it").isNull();
    }

    /** So a HIGH message is claimed while the buffer is full of others. */
    @Test
    void countsThePrioritiesSeparately() {
        buffer.put(List.of(message(1, 1, null, 0), message(1, 2, null, 0)), false);
        assertThat(buffer.counts(Priority.HIGH)).isEqualTo(new MessageBuffer.Counts(0, 0, 0, 16 / 20.0));
        assertThat(buffer.counts(Priority.NORMAL)).isEqualTo(new MessageBuffer.Counts(2, 2, 0, 1));
        assertThat(buffer.counts(Priority.LOW)).isEqualTo(new MessageBuffer.Counts(0, 2, 0, 1 / 5.0));
        buffer.removeUnstarted();
        assertThat(buffer.counts(Priority.LOW)).isEqualTo(new MessageBuffer.Counts(0, 0, 0, 1));
    }

    @Test
    void knowsTheClaimsOfWaitingAndRunningMessages() throws Exception {
        ClaimedMessage one = message(1, 1, "a", 0);
        ClaimedMessage two = message(1, 2, "b", 0);
        buffer.put(List.of(one, two), false);
        now();
        assertThat(buffer.knownClaims()).containsExactlyInAnyOrder(one.claim(), two.claim());
        assertThat(buffer.holdsKey("a")).isTrue();
        assertThat(buffer.holdsKey("b")).isTrue();
        assertThat(buffer.holdsKey("c")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"false, 5", "true, 10"})
    void sharesMessagesEvenlyUnlessThereArePlenty(boolean laneHasMore, int first) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        try {
            CompletionService<Integer> taken = new ExecutorCompletionService<>(workers);
            for (int i = 0; i < 2; i++) {
                taken.submit(() -> buffer.take(Duration.ofMinutes(1), 10).size());
            }
            while (buffer.waitingWorkers() < 2) {
                Thread.onSpinWait();
            }
            buffer.put(
                    LongStream.rangeClosed(1, 10)
                            .mapToObj(id -> message(1, id, null, 0))
                            .toList(),
                    laneHasMore);
            assertThat(taken.take().get()).isEqualTo(first);
            if (laneHasMore) {
                buffer.close(); // nothing is left for the other worker
            }
            assertThat(taken.take().get()).isEqualTo(10 - first);
        } finally {
            workers.shutdownNow();
        }
    }

    /** Each ended in a transaction of its own, and took a permit of a rate limit. */
    @Test
    void takesExpiredMessagesTogetherWithThoseBehindThemAndAsksNoGuard() throws Exception {
        Guard places = new Bulkhead(1).guard("p", () -> 0);
        StartGuards guards = new StartGuards("q", List.of(places), () -> 0, new Telemetry() {});
        Set<ClaimedMessage> expired = new HashSet<>();
        MessageBuffer some = new MessageBuffer(fresh::get, suspectSlot, guards, expired::contains);
        ClaimedMessage a1 = message(1, 1, "a", 0);
        ClaimedMessage a2 = message(1, 2, "a", 0);
        ClaimedMessage a3 = message(1, 3, "a", 0);
        ClaimedMessage free = message(1, 4, null, 0);
        ClaimedMessage suspect = message(1, 5, null, 1);
        expired.addAll(List.of(a1, a2, free, suspect));
        some.put(List.of(a1, a2, a3, free, suspect), false);
        assertThat(some.take(Duration.ZERO, 1)).containsExactlyInAnyOrder(a1, a2, free);
        assertThat(places.state().permits()).isEqualTo(1);
        assertThat(some.knownClaims()).hasSize(5);
        expired.add(a3);
        some.finished(a1, false);
        assertThat(some.take(Duration.ZERO, 1)).containsExactly(a3);
    }

    private @Nullable ClaimedMessage now() throws InterruptedException {
        return buffer.take(Duration.ZERO, 1).stream().findFirst().orElse(null);
    }
}

package io.acidq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.History.Gauges;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.HistoryStore;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.store.QueueStore;
import io.acidq.telemetry.QueueState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryWriterTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final int Q = QueueStore.numberOf("q");

    private final RecordingStore store = new RecordingStore();
    private final HistoryCounters counters = new HistoryCounters(true);
    private final List<QueueState> served = new ArrayList<>();
    private int node = 7;
    private HistoryWriter writer = writer(LONG);

    @AfterEach
    void stop() throws InterruptedException {
        writer.stop(Duration.ofSeconds(10));
    }

    private HistoryWriter writer(Duration period) {
        return new HistoryWriter(
                counters,
                store,
                () -> node,
                () -> served,
                new FailureTracker("history-writer", new Telemetry() {}),
                () -> true,
                System::nanoTime,
                period);
    }

    @Test
    void writesWhatWasCountedSinceTheLastWriteAndNothingWhenNothingWas() {
        counters.enqueued("q", 3);
        counters.finished(id(), Outcome.done(), Duration.ofMillis(5));
        assertThat(writer.write()).isTrue();
        assertThat(writer.write()).isFalse();
        counters.enqueued("q", 2);
        counters.started("q", 9_000_000);
        writer.write();

        assertThat(store.added)
                .containsExactly(
                        Map.of(Q, Map.of("ENQUEUED", 3L, "DONE", 1L, "run3", 1L)),
                        Map.of(Q, Map.of("ENQUEUED", 2L, "lag4", 1L)));
    }

    @Test
    void writesAgainWhatWasRolledBack() {
        counters.enqueued("q", 3);
        store.failure = new IllegalStateException("deadlock");
        assertThatThrownBy(() -> writer.write()).isSameAs(store.failure);
        store.failure = null;
        counters.enqueued("q", 1);
        writer.write();

        assertThat(store.added).containsExactly(Map.of(Q, Map.of("ENQUEUED", 4L)));
    }

    @Test
    void doesNotWriteAgainWhatMayHaveBeenCommitted() {
        counters.enqueued("q", 3);
        store.committed = false;
        writer.write();
        store.committed = true;
        store.added.clear();
        counters.enqueued("q", 1);
        writer.write();

        assertThat(store.added).containsExactly(Map.of(Q, Map.of("ENQUEUED", 1L)));
    }

    @Test
    void writesTheRestAtItsStop() throws InterruptedException {
        counters.enqueued("q", 3);
        assertThat(store.added).isEmpty();
        writer.stop(Duration.ofSeconds(10));

        assertThat(store.added).containsExactly(Map.of(Q, Map.of("ENQUEUED", 3L)));
    }

    /** Of an engine that only enqueues, and is never started. */
    @Test
    void startsAThreadAtTheFirstCountAndEndsItWhenNothingHappens() throws InterruptedException {
        writer = writer(Duration.ofMillis(20));
        assertThat(writerThreads()).isEmpty();
        counters.enqueued("q", 3);
        List<Thread> threads = writerThreads();
        store.awaitAttempts(1);
        for (Thread thread : threads) {
            thread.join(10_000);
        }
        assertThat(writerThreads()).isEmpty();
        counters.enqueued("q", 1);
        store.awaitAttempts(1);
        assertThat(store.added).hasSize(2);
    }

    @Test
    void aFailureReachesNobodyWhoCounts() throws InterruptedException {
        writer = writer(Duration.ofMillis(5));
        writer.start();
        store.failure = new IllegalStateException("no privilege");
        counters.enqueued("q", 3);
        store.awaitAttempts(3);
        store.failure = null;
        writer.stop(Duration.ofSeconds(10));

        assertThat(store.added).containsExactly(Map.of(Q, Map.of("ENQUEUED", 3L)));
    }

    /** Its pool may be closed: nothing else ends its thread. */
    @Test
    void anEngineThatIsNotStartedGivesUpAfterSomeFailures() throws InterruptedException {
        writer = writer(Duration.ofMillis(5));
        store.failure = new IllegalStateException("closed");
        counters.enqueued("q", 3);
        List<Thread> threads = writerThreads();
        store.awaitAttempts(HistoryWriter.MAX_FAILURES);
        for (Thread thread : threads) {
            thread.join(10_000);
        }
        assertThat(writerThreads()).isEmpty();
    }

    @Test
    void countsNothingWhenItIsSwitchedOff() {
        HistoryCounters off = new HistoryCounters(false);
        off.enqueued("q", 3);
        off.finished(id(), Outcome.done(), Duration.ZERO);
        assertThat(off.snapshot()).isEmpty();
    }

    @Test
    void countsTheBacklogOfQueuesInWhichSomethingHappensOrWaits() {
        served.add(state("q", false));
        served.add(state("idle", false));
        assertThat(writer.write()).isFalse();
        assertThat(store.asked).isEmpty();

        counters.enqueued("q", 1);
        store.ready = 5;
        writer.write();
        assertThat(store.asked).containsExactly(Q);
        store.asked.clear();
        store.ready = 0;
        assertThat(writer.write()).as("messages were ready at the last look").isTrue();
        assertThat(store.asked).containsExactly(Q);
        store.asked.clear();
        assertThat(writer.write()).isFalse();
        assertThat(store.asked).isEmpty();

        served.set(1, state("idle", true));
        writer.write();
        assertThat(store.asked).as("a paused queue").containsExactly(QueueStore.numberOf("idle"));
    }

    @Test
    void countsNoBacklogWithoutANode() {
        node = 0;
        served.add(state("q", true));
        counters.enqueued("q", 1);
        writer.write();
        assertThat(store.asked).isEmpty();
    }

    private static QueueState state(String queue, boolean paused) {
        return new QueueState(queue, 1, 0, 0, paused, Optional.empty(), List.of(), ClaimStrategy.LANES);
    }

    private static MessageId id() {
        return new MessageId("q", 1, UUID.randomUUID());
    }

    private static List<Thread> writerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("acidq-history-writer"))
                .toList();
    }

    /** Records what is added, without the zeros. */
    private static final class RecordingStore implements HistoryStore {

        final List<Map<Integer, Map<String, Long>>> added = new CopyOnWriteArrayList<>();
        final List<Integer> asked = new ArrayList<>();
        volatile RuntimeException failure;
        volatile boolean committed = true;
        final Semaphore attempts = new Semaphore(0);
        int ready;

        @Override
        public boolean add(Duration ago, List<QueueNumbers> numbers) {
            RuntimeException thrown = failure;
            if (thrown != null) {
                attempts.release();
                throw thrown;
            }
            Map<Integer, Map<String, Long>> all = new HashMap<>();
            for (QueueNumbers each : numbers) {
                Map<String, Long> counts = new HashMap<>();
                for (int i = 0; i < each.counts().size(); i++) {
                    if (each.counts().get(i) != 0) {
                        counts.put(nameOf(i), each.counts().get(i));
                    }
                }
                all.put(each.queue(), counts);
            }
            added.add(all);
            attempts.release();
            return committed;
        }

        void awaitAttempts(int count) throws InterruptedException {
            assertThat(attempts.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
        }

        private static String nameOf(int i) {
            return i < Count.RUNS
                    ? Count.values()[i].name()
                    : i < Count.LAGS ? "run" + (i - Count.RUNS) : "lag" + (i - Count.LAGS);
        }

        @Override
        public Map<Integer, Gauges> gauges(int node, Collection<Integer> queues) {
            asked.addAll(queues);
            Map<Integer, Gauges> found = new HashMap<>();
            queues.forEach(queue -> found.put(queue, new Gauges(ready, 0, 0, 0, Duration.ZERO)));
            return found;
        }

        @Override
        public List<StoredPoint> sums(int step, Collection<Integer> queues, Instant from, Instant until) {
            return List.of();
        }

        @Override
        public List<StoredPoint> points(int step, Collection<Integer> queues, Instant from, Instant until) {
            return List.of();
        }

        @Override
        public Pruned pruneHistory(Duration retention, int limit) {
            return new Pruned(0, false);
        }
    }
}

package io.acidq.engine.loop;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.History.Histogram;
import io.acidq.store.HistoryStore.Count;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what an engine does with each queue, for the history. The counters only rise; {@code HistoryWriter} knows what it has written of them. To count takes no
 * lock and allocates nothing. Thread-safe.
 */
public final class HistoryCounters implements Telemetry {

    private static final Outcome.Cases<Count> COUNT_OF = new Outcome.Cases<>() {
        @Override
        public Count done() {
            return Count.DONE;
        }

        @Override
        public Count retry(Duration delay, String error) {
            return Count.RETRIED;
        }

        @Override
        public Count snooze(Duration delay, String reason) {
            return Count.REQUEUED;
        }

        @Override
        public Count cancelled(String reason) {
            return Count.CANCELLED;
        }

        @Override
        public Count dead(String error) {
            return Count.DEAD;
        }
    };

    private final boolean enabled;
    private final Map<String, AtomicLongArray> byQueue = new ConcurrentHashMap<>();

    /** Starts the writer; does nothing while it runs. */
    private volatile Runnable startWriter = () -> {};

    public HistoryCounters(boolean enabled) {
        this.enabled = enabled;
    }

    public boolean isEnabled() {
        return enabled;
    }

    /** Sets what runs after each count. */
    public void onCount(Runnable action) {
        startWriter = action;
    }

    /** Messages were enqueued, and their transaction has committed. */
    public void enqueued(String queue, int messages) {
        add(queue, Count.ENQUEUED.place(), messages);
    }

    /**
     * The handler of a message is about to be called.
     *
     * @param lagNanos how long ago the message was due
     */
    public void started(String queue, long lagNanos) {
        add(queue, Count.LAGS + Histogram.bucketOf(lagNanos / 1_000_000), 1);
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        add(id.queue(), outcome.match(COUNT_OF).place(), 1);
        add(id.queue(), Count.RUNS + Histogram.bucketOf(took.toMillis()), 1);
    }

    @Override
    public void requeued(MessageId id, Throwable failure) {
        add(id.queue(), Count.REQUEUED.place(), 1);
    }

    @Override
    public void suspected(MessageId id, int node, int crashes) {
        add(id.queue(), Count.CRASHED.place(), 1);
    }

    /** No {@link #finished} follows. */
    @Override
    public void quarantined(MessageId id, String error) {
        add(id.queue(), Count.DEAD.place(), 1);
    }

    @Override
    public void replayed(String queue, int letters, String actor) {
        add(queue, Count.REPLAYED.place(), letters);
    }

    @Override
    public void discarded(String queue, int letters, String actor) {
        add(queue, Count.DISCARDED.place(), letters);
    }

    @Override
    public void cancelled(MessageId id, String actor) {
        add(id.queue(), Count.CANCELLED.place(), 1);
    }

    @Override
    public void bulkCancelled(String queue, int messages, String actor) {
        add(queue, Count.CANCELLED.place(), messages);
    }

    private void add(String queue, int place, int count) {
        if (enabled && count > 0) {
            AtomicLongArray counts = byQueue.get(queue);
            if (counts == null) {
                counts = byQueue.computeIfAbsent(queue, name -> new AtomicLongArray(Count.ALL));
            }
            counts.addAndGet(place, count);
            startWriter.run();
        }
    }

    /** Returns the present counters of each queue that has any. */
    public Map<String, List<Long>> snapshot() {
        Map<String, List<Long>> all = new ConcurrentHashMap<>();
        byQueue.forEach((queue, counts) -> {
            List<Long> copy = new ArrayList<>(Count.ALL);
            for (int i = 0; i < Count.ALL; i++) {
                copy.add(counts.get(i));
            }
            all.put(queue, copy);
        });
        return all;
    }
}

package io.acidq.store;

import io.acidq.admin.History.Gauges;
import io.acidq.admin.History.Histogram;
import io.acidq.admin.History.HistoryPoint;
import io.acidq.store.MaintenanceStore.Pruned;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of the history. Writes and prunes are short transactions of their own; reads are plain reads that lock nothing. Slots are those of the database's clock.
 */
public interface HistoryStore {

    /** The lengths of the slots in minutes. Each number is added to the slots of all lengths. */
    List<Integer> STEPS = List.of(1, 10, 60);

    /** The most messages of each state that a gauge counts. */
    int MAX_COUNTED = 10_000;

    /** A store that keeps nothing, for tests whose transaction is rolled back. */
    HistoryStore NONE = new HistoryStore() {

        @Override
        public boolean add(Duration ago, List<QueueNumbers> numbers) {
            return true;
        }

        @Override
        public Map<Integer, Gauges> gauges(int node, Collection<Integer> queues) {
            return Map.of();
        }

        @Override
        public List<StoredPoint> sums(int step, Collection<Integer> queues, Instant since, Instant until) {
            return List.of();
        }

        @Override
        public List<StoredPoint> points(int step, Collection<Integer> queues, Instant since, Instant until) {
            return List.of();
        }

        @Override
        public Pruned pruneHistory(Duration retention, int limit) {
            return new Pruned(0, false);
        }
    };

    /**
     * Adds numbers to the slots of all lengths, in one transaction.
     *
     * @param ago     how long before now the numbers were counted on average
     * @param numbers at most one of each queue
     * @return false when it is unknown whether the transaction committed. Throws an exception when it was rolled back
     */
    boolean add(Duration ago, List<QueueNumbers> numbers);

    /**
     * Counts the backlogs of those of the queues that no living node with a lower number than this one serves.
     *
     * @param node the node of the caller
     */
    Map<Integer, Gauges> gauges(int node, Collection<Integer> queues);

    /** The sums over some queues for each slot in which something happened, the oldest first. The number of the queue is 0. */
    List<StoredPoint> sums(int step, Collection<Integer> queues, Instant since, Instant until);

    /** The slots of each queue in which something happened, by queue and time. */
    List<StoredPoint> points(int step, Collection<Integer> queues, Instant since, Instant until);

    /**
     * Removes slots that have ended longer ago than they are kept, the oldest first.
     *
     * @param retention how long those of an hour are kept; shorter ones are kept for the time that {@link io.acidq.admin.History} says, or for this time if it is shorter
     */
    Pruned pruneHistory(Duration retention, int limit);

    /** The numbers that are counted, in the order of the columns. The counts of the histograms of runs and of lags follow. */
    enum Count {
        ENQUEUED(0),
        DONE(1),
        RETRIED(2),
        DEAD(3),
        CANCELLED(4),
        REQUEUED(5),
        CRASHED(6),
        REPLAYED(7),
        DISCARDED(8);

        /** The place of the first bucket of the runs. */
        public static final int RUNS = values().length;

        /** The place of the first bucket of the lags. */
        public static final int LAGS = RUNS + Histogram.BUCKETS;

        /** How many numbers a queue has. */
        public static final int ALL = LAGS + Histogram.BUCKETS;

        private final int place;

        Count(int place) {
            this.place = place;
        }

        /** The place among the numbers of a queue. */
        public int place() {
            return place;
        }
    }

    /**
     * The numbers of a queue since the last write.
     *
     * @param queue  the number of the queue
     * @param counts {@link Count#ALL} numbers
     * @param gauges its backlog; null when it was not counted
     */
    record QueueNumbers(
            int queue, List<Long> counts, @Nullable Gauges gauges) {}

    /**
     * A slot of a queue.
     *
     * @param queue the number of the queue
     */
    record StoredPoint(int queue, HistoryPoint point) {}
}

package io.acidq.admin;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The counts of what the engines of a database have done, by minute, ten minutes and hour. Each engine adds its numbers once a minute, so the last two
 * minutes are not complete, and a process that was killed has not written its last minute: the numbers are never above the truth, and may be below it.
 * Each read is one statement that locks nothing. Thread-safe.
 */
public interface History {

    /** The most slots of one read. */
    int MAX_POINTS = 400;

    /** The most rows that one read scans: a row for each queue and slot in which something happened. */
    int MAX_ROWS = 40_000;

    /** How long the numbers of single minutes are kept. */
    Duration MINUTES_KEPT = Duration.ofDays(1);

    /** How long the numbers of ten minutes are kept. */
    Duration TEN_MINUTES_KEPT = Duration.ofDays(14);

    /**
     * Returns the sums over some queues, for each slot in which something happened, the oldest first.
     *
     * @param queues the names of the queues; names without a history add nothing
     * @param step   the length of a slot, as {@link #stepFor} returns it
     * @param since   the start; the slot that contains it is the first one
     * @param until  the end, exclusive
     * @throws QueueMisuseException    when the range is empty, or has too many slots or rows
     * @throws TransientQueueException when the database could not do it now
     */
    List<HistoryPoint> read(Collection<String> queues, Duration step, Instant since, Instant until);

    /** Reads the points of each queue by itself: see {@link #read}. Queues in which nothing happened are left out. */
    Map<String, List<HistoryPoint>> readEach(Collection<String> queues, Duration step, Instant since, Instant until);

    /**
     * Returns the shortest step for which a range has at most {@link #MAX_POINTS} slots, and for which the numbers are still kept: a minute, ten minutes, or a
     * number of hours.
     *
     * @param now the time by the database's clock
     */
    static Duration stepFor(Instant now, Instant since, Instant until) {
        long minutes = Math.max(1, Duration.between(since, until).toMinutes());
        if (minutes <= MAX_POINTS && Duration.between(since, now).compareTo(MINUTES_KEPT) <= 0) {
            return Duration.ofMinutes(1);
        }
        if (minutes <= 10 * MAX_POINTS && Duration.between(since, now).compareTo(TEN_MINUTES_KEPT) <= 0) {
            return Duration.ofMinutes(10);
        }
        return Duration.ofHours(Math.max(1, (minutes + 60 * MAX_POINTS - 1) / (60 * MAX_POINTS)));
    }

    /**
     * The numbers of one slot.
     *
     * @param at        the start of the slot, by the database's clock
     * @param enqueued  messages enqueued, counted after the commit; copies for subscriptions and messages of ticks included
     * @param done      runs that ended as done
     * @param retried   runs after which the message is tried again
     * @param dead      messages that became dead letters
     * @param cancelled messages that were cancelled, by their handler or an operator, or that have expired
     * @param requeued  runs that count no attempt: snoozed, or ended through no fault of the message
     * @param crashed   crashes of processes that were counted for a message
     * @param replayed  dead letters that were replayed
     * @param discarded dead letters that were discarded
     * @param runs      how long the runs took
     * @param lags      how long after their due times the messages were started
     * @param gauges    the backlog, the highest of the slot; empty when it was not counted
     */
    record HistoryPoint(
            Instant at,
            long enqueued,
            long done,
            long retried,
            long dead,
            long cancelled,
            long requeued,
            long crashed,
            long replayed,
            long discarded,
            Histogram runs,
            Histogram lags,
            Optional<Gauges> gauges) {

        /** Returns the sum of this slot and a later one, with the start of this one and the higher gauges. */
        public HistoryPoint plus(HistoryPoint later) {
            return new HistoryPoint(
                    at,
                    enqueued + later.enqueued,
                    done + later.done,
                    retried + later.retried,
                    dead + later.dead,
                    cancelled + later.cancelled,
                    requeued + later.requeued,
                    crashed + later.crashed,
                    replayed + later.replayed,
                    discarded + later.discarded,
                    runs.plus(later.runs),
                    lags.plus(later.lags),
                    gauges.map(mine -> later.gauges.map(mine::highest).orElse(mine))
                            .or(() -> later.gauges));
        }

        /** Returns the same numbers with another start of the slot. */
        public HistoryPoint withAt(Instant value) {
            return new HistoryPoint(
                    value, enqueued, done, retried, dead, cancelled, requeued, crashed, replayed, discarded, runs, lags,
                    gauges);
        }
    }

    /**
     * The backlog of a queue, or of several. Of each queue, at most 10,000 messages are counted in each state.
     *
     * @param ready     due and not claimed
     * @param waiting   in its lane and not due yet
     * @param scheduled in the schedule and not due yet
     * @param dead      dead letters
     * @param oldest    how long ago the oldest unclaimed message was first due; zero when there is none
     */
    record Gauges(long ready, long waiting, long scheduled, long dead, Duration oldest) {

        Gauges highest(Gauges other) {
            return new Gauges(
                    Math.max(ready, other.ready),
                    Math.max(waiting, other.waiting),
                    Math.max(scheduled, other.scheduled),
                    Math.max(dead, other.dead),
                    oldest.compareTo(other.oldest) >= 0 ? oldest : other.oldest);
        }
    }

    /**
     * How many durations were below 1, 2, 4, … milliseconds, and not below the limit before. The last number is that of all longer ones. 24 limits reach from a
     * millisecond to 70 minutes, each twice the one before, so that a percentile is at most a factor of two off, and much less in a smooth distribution.
     *
     * @param counts {@link #BUCKETS} numbers
     */
    record Histogram(List<Long> counts) {

        public static final int BUCKETS = 24;

        public Histogram {
            counts = List.copyOf(counts);
        }

        /** Returns the number of the bucket of a duration. */
        public static int bucketOf(long millis) {
            return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, millis)));
        }

        public Histogram plus(Histogram other) {
            List<Long> sums = new ArrayList<>(BUCKETS);
            for (int i = 0; i < BUCKETS; i++) {
                sums.add(counts.get(i) + other.counts.get(i));
            }
            return new Histogram(sums);
        }

        /**
         * Returns the duration in milliseconds that this share of the durations did not exceed, interpolated within its bucket; empty when there are none. For
         * durations longer than the last limit it is that limit.
         *
         * @param share such as 0.95
         */
        public OptionalDouble quantile(double share) {
            long all = counts.stream().mapToLong(Long::longValue).sum();
            if (all == 0) {
                return OptionalDouble.empty();
            }
            double rank = share * all;
            long before = 0;
            for (int i = 0; i < BUCKETS - 1; i++) {
                long count = counts.get(i);
                if (count > 0 && before + count >= rank) {
                    double low = i == 0 ? 0 : 1L << (i - 1);
                    double high = 1L << i;
                    return OptionalDouble.of(low + (high - low) * Math.max(0, rank - before) / count);
                }
                before += count;
            }
            return OptionalDouble.of(1L << (BUCKETS - 2));
        }
    }
}

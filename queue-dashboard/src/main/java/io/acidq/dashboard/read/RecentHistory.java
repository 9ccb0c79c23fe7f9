package io.acidq.dashboard.read;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.History;
import io.acidq.admin.History.Histogram;
import io.acidq.admin.History.HistoryPoint;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The history of a database, as all viewers read it: the rates of all queues and the course of their last hour, read at most twice a minute, and the ranges of charts,
 * each read once while it is the same. Without viewers it reads nothing. Thread-safe.
 */
public final class RecentHistory {

    /** Engines write once a minute: what happened in a slot is complete so long after its end. */
    public static final Duration COMPLETE_AFTER = Duration.ofSeconds(90);

    /** The number of minutes whose mean is the rate of a queue. */
    public static final int RATE_MINUTES = 5;

    private static final int HOUR = 60;
    private static final int MAX_ROWS = 20_000;
    private static final int MAX_KEPT = 32;
    private static final Duration KEPT = Duration.ofSeconds(30);

    private final Database database;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();
    private final Map<Range, CachedPoints> ranges = new LinkedHashMap<>(); // guarded by itself
    private volatile @Nullable Recent last;
    private volatile long nextRead;

    RecentHistory(Database database, LongSupplier nanoTime) {
        this.database = database;
        this.nanoTime = nanoTime;
    }

    /** Returns the rates of the queues in the sample; none while they cannot be read. */
    public Recent recent(Collection<String> queues) {
        Recent known = last;
        if (known != null && (nanoTime.getAsLong() - nextRead < 0 || !reading.tryLock())) {
            return known;
        }
        if (known == null && !Database.lock(reading)) {
            return Recent.NONE;
        }
        try {
            Recent read = read(queues);
            last = read;
            nextRead = nanoTime.getAsLong() + KEPT.toNanos();
            return read;
        } catch (TransientQueueException
                | QueueMisuseException e) { // the numbers of the queues are shown without their rates
            nextRead = nanoTime.getAsLong() + KEPT.toNanos();
            return known == null ? Recent.NONE : known;
        } finally {
            reading.unlock();
        }
    }

    private Recent read(Collection<String> queues) {
        if (queues.isEmpty()) {
            return Recent.NONE;
        }
        Instant end = database.now().minus(COMPLETE_AFTER).truncatedTo(ChronoUnit.MINUTES);
        int minutes = Math.max(RATE_MINUTES, Math.min(HOUR, MAX_ROWS / queues.size()));
        Instant start = end.minus(minutes, ChronoUnit.MINUTES);
        Map<String, List<HistoryPoint>> found =
                database.call(engine -> engine.history().readEach(queues, Duration.ofMinutes(1), start, end));
        Map<String, QueueRates> rates = new LinkedHashMap<>();
        found.forEach((queue, points) -> rates.put(queue, QueueRates.of(points, start, minutes)));
        return new Recent(rates, end);
    }

    /**
     * Returns the sums over some queues.
     *
     * @param from  the start of a slot
     * @param until the end of a slot
     */
    public List<HistoryPoint> read(Set<String> queues, Duration step, Instant from, Instant until) {
        Range range = new Range(new TreeSet<>(queues), step, from, until);
        long now = nanoTime.getAsLong();
        synchronized (ranges) {
            ranges.values().removeIf(cached -> now - cached.readAt() > KEPT.toNanos());
            CachedPoints cached = ranges.get(range);
            if (cached != null) {
                return cached.points();
            }
        }
        List<HistoryPoint> points = queues.isEmpty()
                ? List.of()
                : database.call(engine -> engine.history().read(queues, step, from, until));
        synchronized (ranges) {
            if (ranges.size() < MAX_KEPT) {
                ranges.put(range, new CachedPoints(points, now));
            }
        }
        return points;
    }

    private record Range(Set<String> queues, Duration step, Instant from, Instant until) {}

    private record CachedPoints(List<HistoryPoint> points, long readAt) {}

    /**
     * The rates of all queues.
     *
     * @param queues by name; without those in which nothing happened in the last hour
     * @param end    the end of the last complete minute, by the database's clock
     */
    public record Recent(Map<String, QueueRates> queues, Instant end) {

        static final Recent NONE = new Recent(Map.of(), Instant.EPOCH);

        /** Whether the rates are known. */
        public boolean isKnown() {
            return !end.equals(Instant.EPOCH);
        }

        /** The rates of a queue; zeros if nothing happened. */
        public QueueRates of(String queue) {
            return queues.getOrDefault(queue, QueueRates.NOTHING);
        }
    }

    /**
     * The numbers of a queue in the last {@link #RATE_MINUTES} complete minutes.
     *
     * @param enqueued messages enqueued
     * @param done     runs that ended as done
     * @param retried  runs after which the message is tried again
     * @param dead     messages that became dead letters
     * @param runs     how long the runs took
     * @param course   the messages done in each minute of the last hour, or of less if there are many queues
     */
    public record QueueRates(
            long enqueued,
            long done,
            long retried,
            long dead,
            @Nullable Histogram runs,
            List<Long> course) {

        static final QueueRates NOTHING = new QueueRates(0, 0, 0, 0, null, List.of());

        static QueueRates of(List<HistoryPoint> points, Instant start, int minutes) {
            List<Long> course = new ArrayList<>();
            for (int i = 0; i < minutes; i++) {
                course.add(0L);
            }
            Instant rated = start.plus(minutes - RATE_MINUTES, ChronoUnit.MINUTES);
            HistoryPoint sum = null;
            for (HistoryPoint point : points) {
                int minute = (int) Duration.between(start, point.at()).toMinutes();
                if (minute >= 0 && minute < minutes) {
                    course.set(minute, point.done());
                }
                if (!point.at().isBefore(rated)) {
                    sum = sum == null ? point : sum.plus(point);
                }
            }
            return sum == null
                    ? new QueueRates(0, 0, 0, 0, null, course)
                    : new QueueRates(sum.enqueued(), sum.done(), sum.retried(), sum.dead(), sum.runs(), course);
        }

        /** The duration in seconds that 95 of 100 runs did not exceed; empty without a run. */
        public OptionalDouble p95Seconds() {
            OptionalDouble millis = runs == null ? OptionalDouble.empty() : runs.quantile(0.95);
            return millis.isPresent() ? OptionalDouble.of(millis.getAsDouble() / 1000) : millis;
        }
    }

    /** The longest range of a chart. */
    public static Duration longest() {
        return Duration.ofHours(24L * History.MAX_POINTS);
    }
}

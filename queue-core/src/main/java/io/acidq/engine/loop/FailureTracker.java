package io.acidq.engine.loop;

import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the consecutive failures of a task and returns how long to wait before the next attempt. Reports the first failure and the recovery, unless
 * the database is the cause. Thread-safe.
 */
public final class FailureTracker {

    private static final Duration MAX_BACKOFF = Duration.ofSeconds(3);
    private static final long FIRST_MILLIS = 50;
    private static final int MAX_SHIFT = 10;

    private final String name;
    private final Telemetry telemetry;
    private final @Nullable DatabaseMonitor database;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean reported = new AtomicBoolean();

    /** A tracker for something that does not use the database. */
    public FailureTracker(String name, Telemetry telemetry) {
        this(name, telemetry, null);
    }

    /**
     * A tracker for a task.
     *
     * @param database gets each failure, and reports an outage once for all tasks; null for something that does not use the database
     */
    FailureTracker(String name, Telemetry telemetry, @Nullable DatabaseMonitor database) {
        this.name = name;
        this.telemetry = telemetry;
        this.database = database;
    }

    /** Counts a failure and returns how long to wait before the next attempt. */
    public Duration recordFailure(Throwable failure) {
        int before = failures.getAndIncrement();
        boolean isOutage = database != null && database.taskFailed(name, failure);
        if (!isOutage && !reported.getAndSet(true)) {
            telemetry.taskFailed(name, failure);
        }
        return backoff(before, MAX_BACKOFF);
    }

    public void recordSuccess() {
        if (failures.get() > 0 && failures.getAndSet(0) > 0) {
            if (database != null) {
                database.taskWorked(name);
            }
            if (reported.getAndSet(false)) {
                telemetry.taskRecovered(name);
            }
        }
    }

    /**
     * Returns a wait that grows with the number of earlier failures. It is random, so that tasks that failed together do not try again together.
     *
     * @param failuresBefore 0 after the first failure
     */
    public static Duration backoff(int failuresBefore, Duration max) {
        long ceiling = Math.min(max.toMillis(), FIRST_MILLIS << Math.min(failuresBefore, MAX_SHIFT));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
    }
}

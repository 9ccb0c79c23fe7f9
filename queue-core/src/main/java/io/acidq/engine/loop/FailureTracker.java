package io.acidq.engine.loop;

import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The failures in a row of one thing. Reports the first and the recovery, unless the database is to blame, and says how long to wait before the
 * next try. Thread-safe.
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

    /** Of something that needs no database. */
    public FailureTracker(String name, Telemetry telemetry) {
        this(name, telemetry, null);
    }

    /**
     * Of something that needs the database.
     *
     * @param database hears of every failure, and reports an outage once for all; null when this needs no database
     */
    FailureTracker(String name, Telemetry telemetry, @Nullable DatabaseMonitor database) {
        this.name = name;
        this.telemetry = telemetry;
        this.database = database;
    }

    /** Counts a failure and returns how long to wait before the next try. */
    public Duration failed(Throwable cause) {
        int before = failures.getAndIncrement();
        boolean isOutage = database != null && database.taskFailed(name, cause);
        if (!isOutage && !reported.getAndSet(true)) {
            telemetry.taskFailed(name, cause);
        }
        return backoff(before, MAX_BACKOFF);
    }

    public void succeeded() {
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
     * A wait that grows with the failures that went before. It is random, so that those who failed together do not try again together.
     *
     * @param failuresBefore 0 after the first failure
     */
    public static Duration backoff(int failuresBefore, Duration longest) {
        long ceiling = Math.min(longest.toMillis(), FIRST_MILLIS << Math.min(failuresBefore, MAX_SHIFT));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
    }
}

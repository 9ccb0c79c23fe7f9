package io.acidq.engine.duty;

import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts failures in a row of one thing: tells the first and the recovery, unless the database is to blame, and says how long to wait
 * before trying again.
 */
public final class Trouble {

    private static final long FIRST_MILLIS = 50;
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final int LONGEST_SHIFT = 10;

    private final String name;
    private final Telemetry telemetry;
    private final @Nullable DatabaseWatch watch;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean told = new AtomicBoolean();

    public Trouble(String name, Telemetry telemetry) {
        this(name, telemetry, null);
    }

    /**
     * Of something that needs the database.
     *
     * @param watch is told of every failure, and tells of an outage in the name of all; null when this needs no database
     */
    public Trouble(String name, Telemetry telemetry, @Nullable DatabaseWatch watch) {
        this.name = name;
        this.telemetry = telemetry;
        this.watch = watch;
    }

    public Duration failed(Throwable cause) {
        int before = failures.getAndIncrement();
        boolean taken = watch != null && watch.takes(name, cause);
        if (!taken && !told.getAndSet(true)) {
            telemetry.failing(name, cause);
        }
        return backOff(before, LONGEST);
    }

    public void worked() {
        if (failures.get() > 0 && failures.getAndSet(0) > 0) {
            if (watch != null) {
                watch.worked(name);
            }
            if (told.getAndSet(false)) {
                telemetry.recovered(name);
            }
        }
    }

    /** Grows with the failures that went before, at random: those who failed together shall not try again together. */
    public static Duration backOff(int before, Duration longest) {
        long ceiling = Math.min(longest.toMillis(), FIRST_MILLIS << Math.min(before, LONGEST_SHIFT));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
    }
}

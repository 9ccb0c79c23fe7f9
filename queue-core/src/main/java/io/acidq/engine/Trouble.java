package io.acidq.engine;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts failures in a row of one thing: tells the first and the recovery, and says how long to wait before trying again. */
final class Trouble {

    private static final long FIRST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 3000;
    private static final int LONGEST_SHIFT = 10;

    private final String name;
    private final Telemetry telemetry;
    private final AtomicInteger failures = new AtomicInteger();

    Trouble(String name, Telemetry telemetry) {
        this.name = name;
        this.telemetry = telemetry;
    }

    Duration failed(Throwable cause) {
        int before = failures.getAndIncrement();
        if (before == 0) {
            telemetry.failing(name, cause);
        }
        long ceiling = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(before, LONGEST_SHIFT));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
    }

    void worked() {
        if (failures.get() > 0 && failures.getAndSet(0) > 0) {
            telemetry.recovered(name);
        }
    }
}

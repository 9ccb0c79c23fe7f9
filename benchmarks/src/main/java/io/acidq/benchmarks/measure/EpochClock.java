package io.acidq.benchmarks.measure;

import java.time.Instant;

/** The time of the machine, which all its processes agree on. */
public final class EpochClock {

    private static final long SECOND = 1_000_000_000L;

    private EpochClock() {}

    /** Nanoseconds since 1970. */
    public static long nanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * SECOND + now.getNano();
    }
}

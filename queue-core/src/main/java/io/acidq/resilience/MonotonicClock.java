package io.acidq.resilience;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/** Monotonic time in the form that Resilience4j wants: a step of the wall clock neither opens nor closes anything. */
final class MonotonicClock extends Clock {

    private final LongSupplier nanoTime;
    private final long begin;

    MonotonicClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanoTime.getAsLong() - begin);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}

package io.acidq.test;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Advances the time for everything in the queue's tables: due times, backoffs, deduplication windows and retention. No clock changes. Instead all times in
 * the tables become older, in the transaction on the calling thread or in its own. Thread-safe.
 */
public final class TestClock {

    private static final Duration MAX = Duration.ofDays(36_525);

    private final Consumer<Duration> age;

    TestClock(Consumer<Duration> age) {
        this.age = age;
    }

    /**
     * Advances the time.
     *
     * @param time greater than zero, at most a hundred years, with a resolution of microseconds
     * @throws QueueMisuseException if the time is null or out of range
     */
    public void advance(Duration time) {
        if (time == null) {
            throw new QueueMisuseException("the time to advance the clock by is null");
        }
        if (time.compareTo(MAX) > 0) {
            throw new QueueMisuseException("the clock advances by at most a hundred years, not by " + time
                    + ": the tables cannot store later times");
        }
        if (time.isNegative() || time.isZero()) {
            throw new QueueMisuseException("the clock advances by a time greater than zero, not by " + time);
        }
        age.accept(time);
    }
}

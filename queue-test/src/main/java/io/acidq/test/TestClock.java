package io.acidq.test;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Lets time pass for everything in the queue's tables: due times, backoffs, windows of keys, what is kept for how long. No clock is moved: all of it
 * becomes so much older, in the transaction on the calling thread or in one of its own. Thread-safe.
 */
public final class TestClock {

    private static final Duration LONGEST = Duration.ofDays(36_525);

    private final Consumer<Duration> age;

    TestClock(Consumer<Duration> age) {
        this.age = age;
    }

    /**
     * Lets so much time pass.
     *
     * @param time above zero, at most a hundred years; microseconds
     * @throws QueueMisuseException when it is not
     */
    public void advance(Duration time) {
        if (time == null) {
            throw new QueueMisuseException("the time by which the clock is to advance is null");
        }
        if (time.compareTo(LONGEST) > 0) {
            throw new QueueMisuseException(
                    "a clock advances by a hundred years at most, not by " + time + ": the tables hold no such times");
        }
        if (time.isNegative() || time.isZero()) {
            throw new QueueMisuseException("a clock advances by a time above zero, not by " + time);
        }
        age.accept(time);
    }
}

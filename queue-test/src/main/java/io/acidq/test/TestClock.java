package io.acidq.test;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Lets time pass for everything in the queue's tables: due times, backoffs, windows of keys, what is kept for how long. No clock is moved: all of it
 * becomes so much older, in the transaction on the calling thread or in one of its own. Thread-safe.
 */
public final class TestClock {

    private final Consumer<Duration> age;

    TestClock(Consumer<Duration> age) {
        this.age = age;
    }

    /**
     * Lets so much time pass.
     *
     * @param time above zero; microseconds
     */
    public void advance(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new QueueMisuseException("a clock advances by a time above zero, not by " + time);
        }
        age.accept(time);
    }
}

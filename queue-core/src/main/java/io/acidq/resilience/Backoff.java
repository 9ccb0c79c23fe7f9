package io.acidq.resilience;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The delays between the attempts of a failed message. Immutable.
 *
 * @param initialDelay the delay after the first failure, zero or at least 1 ms. Too low: an overloaded system is called again at once; too high: a
 *                     short failure costs latency. Default 1 s
 * @param multiplier   the factor between one delay and the next, 1 to 100; 1 for a fixed delay. Default 2
 * @param maxDelay     the longest delay before jitter; at most 365 days. Default 10 min
 * @param jitter       the share by which each delay is shortened or lengthened at random, 0 to 1, so that messages that failed at the same time are
 *                     not retried at the same time. Default 0.2
 */
public record Backoff(Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {

    private static final Duration MAX = Duration.ofDays(365);
    private static final Backoff DEFAULTS = new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(10), 0.2);

    public Backoff {
        require(
                initialDelay.isZero() || initialDelay.compareTo(Duration.ofMillis(1)) >= 0,
                "retry policy: initialDelay must be zero or at least 1 ms, was " + initialDelay);
        require(multiplier >= 1 && multiplier <= 100, "retry policy: multiplier must be 1 to 100, was " + multiplier);
        require(
                isWithin(maxDelay, initialDelay, MAX),
                "retry policy: maxDelay must be at least initialDelay and at most 365 days, was " + maxDelay);
        require(jitter >= 0 && jitter <= 1, "retry policy: jitter must be 0 to 1, was " + jitter);
    }

    public static Backoff defaults() {
        return DEFAULTS;
    }

    /** Delays from {@code initial}, multiplied by {@code factor}, up to {@code max}, with the default jitter. */
    public static Backoff exponential(Duration initial, double factor, Duration max) {
        return new Backoff(initial, factor, max, DEFAULTS.jitter);
    }

    /** Returns a backoff with an equal delay after each failure, and the default jitter. */
    public static Backoff fixed(Duration delay) {
        return new Backoff(delay, 1, delay, DEFAULTS.jitter);
    }

    public Backoff withJitter(double value) {
        return new Backoff(initialDelay, multiplier, maxDelay, value);
    }

    /** The delay after this attempt, 1 for the first. */
    Duration after(int attempt, DoubleSupplier random) {
        if (initialDelay.isZero()) {
            return Duration.ZERO;
        }
        return spread(
                Duration.ofMillis(IntervalFunction.ofExponentialBackoff(initialDelay, multiplier, maxDelay)
                        .apply(attempt)),
                random);
    }

    /** Adds jitter. It is applied after the maximum, so that delays at the maximum are spread too; the result is still at most 365 days. */
    Duration spread(Duration plain, DoubleSupplier random) {
        double factor = 1 + jitter * (2 * random.getAsDouble() - 1);
        return Duration.ofMillis(Math.min(MAX.toMillis(), Math.round(plain.toMillis() * factor)));
    }
}

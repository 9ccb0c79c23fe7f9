package io.acidq.resilience;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a message whose handler failed. Immutable and thread-safe. Deadlocks and lost connections that a
 * handler lets through never come here: they are retried without counting.
 *
 * @param maxAttempts  starts until it is a dead letter, 1 to 1000. Too low: a short outage of a partner kills messages; too
 *                     high: a message that can not succeed is tried for days. Default 5
 * @param initialDelay the wait after the first failure. Too low: a struggling partner is hit at once; too high: a hiccup costs
 *                     latency. Default 1 s
 * @param multiplier   by which each wait is longer than the one before, at least 1. Default 2
 * @param maxDelay     no wait is longer, before jitter. Default 10 min
 * @param jitter       each wait is shortened or lengthened at random by up to this share, 0 to below 1, so that messages that failed
 *                     together do not come back together. Default 0.2
 * @param fatal        failures of these types, or with such a cause, make a dead letter at once
 */
public record RetryPolicy(
        int maxAttempts,
        Duration initialDelay,
        double multiplier,
        Duration maxDelay,
        double jitter,
        List<Class<? extends Throwable>> fatal) {

    private static final RetryPolicy DEFAULTS =
            new RetryPolicy(5, Duration.ofSeconds(1), 2, Duration.ofMinutes(10), 0.2, List.of());

    public RetryPolicy {
        require(maxAttempts >= 1 && maxAttempts <= 1000, "maxAttempts must be 1 to 1000, was " + maxAttempts);
        require(
                initialDelay.isZero() || initialDelay.compareTo(Duration.ofMillis(1)) >= 0,
                "initialDelay must be zero or at least 1 ms, was " + initialDelay);
        require(multiplier >= 1 && multiplier <= 100, "multiplier must be 1 to 100, was " + multiplier);
        require(
                maxDelay.compareTo(initialDelay) >= 0 && maxDelay.compareTo(Duration.ofDays(365)) <= 0,
                "maxDelay must be at least initialDelay and at most 365 days, was " + maxDelay);
        require(jitter >= 0 && jitter < 1, "jitter must be 0 to below 1, was " + jitter);
        fatal = List.copyOf(fatal);
    }

    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    public RetryPolicy withMaxAttempts(int value) {
        return new RetryPolicy(value, initialDelay, multiplier, maxDelay, jitter, fatal);
    }

    /** Sets how waits grow: from {@code initial} by {@code factor} up to {@code max}. */
    public RetryPolicy withBackoff(Duration initial, double factor, Duration max) {
        return new RetryPolicy(maxAttempts, initial, factor, max, jitter, fatal);
    }

    public RetryPolicy withJitter(double value) {
        return new RetryPolicy(maxAttempts, initialDelay, multiplier, maxDelay, value, fatal);
    }

    /** Adds a type of failure that makes a dead letter at once. */
    public RetryPolicy withFatal(Class<? extends Throwable> type) {
        List<Class<? extends Throwable>> more = new ArrayList<>(fatal);
        more.add(type);
        return new RetryPolicy(maxAttempts, initialDelay, multiplier, maxDelay, jitter, more);
    }

    /** The outcome of a start that failed: {@code attempt} is 1 for the first. */
    public Outcome afterFailure(Throwable failure, int attempt) {
        String cause = FailureText.of(failure);
        if (attempt >= maxAttempts || isFatal(failure)) {
            return Outcome.dead(cause);
        }
        return Outcome.retryAfter(delayAfter(attempt), cause);
    }

    /** What a handler asked for, within this policy: a retry beyond the last attempt is a dead letter. */
    public Outcome limit(Outcome asked, int attempt) {
        return asked instanceof Outcome.Retry retry && attempt >= maxAttempts
                ? Outcome.dead("no attempt is left after " + attempt + ": " + retry.cause())
                : asked;
    }

    private boolean isFatal(Throwable failure) {
        return Causes.of(failure).stream().anyMatch(t -> fatal.stream().anyMatch(type -> type.isInstance(t)));
    }

    private Duration delayAfter(int attempt) {
        if (initialDelay.isZero()) {
            return Duration.ZERO;
        }
        long plain = IntervalFunction.ofExponentialBackoff(initialDelay, multiplier, maxDelay)
                .apply(attempt);
        // applied after the maximum, so that waits which have reached it are spread too
        return Duration.ofMillis(
                jitter > 0 ? IntervalFunction.ofRandomized(plain, jitter).apply(1) : plain);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new QueueMisuseException("retry policy: " + message);
        }
    }
}

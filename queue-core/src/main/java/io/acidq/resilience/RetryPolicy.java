package io.acidq.resilience;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message whose handler failed. Immutable and thread-safe. Deadlocks and lost connections that a
 * handler lets through never come here: they are retried without counting.
 *
 * @param maxAttempts starts until it is a dead letter, 1 to 1000. Too low: a short outage of a partner kills messages; too
 *                    high: a message that can not succeed is tried for days. Default 5
 * @param maxAge      no start is planned at this age or later: the message is a dead letter instead. Counted from its first
 *                    due time (or its replay) by the database's clock up to the claim, and by this process's monotonic clock
 *                    from the run's begin. The first start is not refused, however late. Snoozes are bounded by nothing else. At
 *                    least 1 ms; none by default
 * @param backoff     the waits between attempts
 * @param rules       what becomes of single types of failures: the first that matches decides, and what none matches is retried
 */
public record RetryPolicy(int maxAttempts, @Nullable Duration maxAge, Backoff backoff, List<RetryRule> rules) {

    private static final RetryPolicy DEFAULTS = new RetryPolicy(5, null, Backoff.defaults(), List.of());

    public RetryPolicy {
        if (maxAttempts < 1 || maxAttempts > 1000) {
            throw new QueueMisuseException("retry policy: maxAttempts must be 1 to 1000, was " + maxAttempts);
        }
        if (maxAge != null && maxAge.compareTo(Duration.ofMillis(1)) < 0) {
            throw new QueueMisuseException("retry policy: maxAge must be at least 1 ms, was " + maxAge);
        }
        rules = List.copyOf(rules);
    }

    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    public RetryPolicy withMaxAttempts(int value) {
        return new RetryPolicy(value, maxAge, backoff, rules);
    }

    public RetryPolicy withMaxAge(Duration value) {
        return new RetryPolicy(maxAttempts, value, backoff, rules);
    }

    public RetryPolicy withBackoff(Backoff value) {
        return new RetryPolicy(maxAttempts, maxAge, value, rules);
    }

    /** Sets how waits grow: from {@code initial} by {@code factor} up to {@code max}; the jitter stays. */
    public RetryPolicy withBackoff(Duration initial, double factor, Duration max) {
        return withBackoff(new Backoff(initial, factor, max, backoff.jitter()));
    }

    /** Sets one wait for all attempts; the jitter stays. */
    public RetryPolicy withFixedBackoff(Duration delay) {
        return withBackoff(delay, 1, delay);
    }

    public RetryPolicy withJitter(double value) {
        return withBackoff(backoff.withJitter(value));
    }

    /** Adds a rule behind those that are there. */
    public RetryPolicy withRule(RetryRule rule) {
        List<RetryRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new RetryPolicy(maxAttempts, maxAge, backoff, more);
    }

    /**
     * The outcome of a start that failed.
     *
     * @param attempt 1 for the first
     * @param age     how old the message is
     */
    public Outcome afterFailure(Throwable failure, int attempt, Duration age) {
        return afterFailure(failure, attempt, age, ThreadLocalRandom.current()::nextDouble);
    }

    Outcome afterFailure(Throwable failure, int attempt, Duration age, DoubleSupplier random) {
        String cause = FailureText.of(failure);
        RetryRule rule =
                rules.stream().filter(r -> r.matches(failure)).findFirst().orElse(null);
        if (rule != null && rule.verdict() == RetryRule.Verdict.IGNORE) {
            return Outcome.cancel("ignored: " + cause);
        }
        if (attempt >= maxAttempts || (rule != null && rule.verdict() == RetryRule.Verdict.DEAD)) {
            return Outcome.dead(cause);
        }
        Duration own = rule == null ? null : rule.delay();
        Duration delay = own == null ? backoff.after(attempt, random) : backoff.spread(own, random);
        return tooOld(delay, age) ? dead(cause) : Outcome.retryAfter(delay, cause);
    }

    /**
     * What a handler asked for, within this policy: a retry beyond the last attempt, and a retry or snooze beyond the maximum
     * age, is a dead letter.
     *
     * @param attempt 1 for the first
     * @param age     how old the message is
     */
    public Outcome limit(Outcome asked, int attempt, Duration age) {
        return asked.match(new Limit(asked, attempt, age));
    }

    private boolean tooOld(Duration delay, Duration age) {
        return maxAge != null && age.plus(delay).compareTo(maxAge) >= 0;
    }

    private Outcome dead(String cause) {
        return Outcome.dead("no start is left within the maximum age of " + maxAge + ": " + cause);
    }

    /** The bounds of one request. */
    private final class Limit implements Outcome.Cases<Outcome> {
        private final Outcome asked;
        private final int attempt;
        private final Duration age;

        Limit(Outcome asked, int attempt, Duration age) {
            this.asked = asked;
            this.attempt = attempt;
            this.age = age;
        }

        @Override
        public Outcome done() {
            return asked;
        }

        @Override
        public Outcome retry(Duration delay, String cause) {
            if (attempt >= maxAttempts) {
                return Outcome.dead("no attempt is left after " + attempt + ": " + cause);
            }
            return tooOld(delay, age) ? RetryPolicy.this.dead(cause) : asked;
        }

        @Override
        public Outcome snooze(Duration delay, String why) {
            return tooOld(delay, age) ? RetryPolicy.this.dead(why) : asked;
        }

        @Override
        public Outcome cancelled(String why) {
            return asked;
        }

        @Override
        public Outcome dead(String cause) {
            return asked;
        }
    }
}

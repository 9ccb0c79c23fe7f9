package io.acidq.resilience;

import static io.acidq.InputChecks.require;

import io.acidq.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to a message after its handler failed: retry it, dead-letter it or ignore the failure. Immutable and thread-safe.
 *
 * <pre>{@code
 * RetryPolicy policy = RetryPolicy.defaults()
 *         .withMaxAttempts(8)
 *         .withBackoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5))
 *         .withRule(RetryRule.deadOn(IllegalArgumentException.class));
 * }</pre>
 *
 * <p>Deadlocks and lost connections that a handler does not catch are not failures of the message: it runs again, and the attempt does not count. Only
 * {@code maxAge} ends a message of which five or more runs on one node have ended so.
 *
 * @param maxAttempts the number of attempts after which the message becomes a dead letter, 1 to 1000. Too low: a short outage of another system
 *                    dead-letters messages; too high: a message that cannot succeed is tried for days. Default 5
 * @param maxAge      the age from which on no attempt is planned; the message becomes a dead letter instead. The age is counted from the first due
 *                    time or the replay: up to the claim by the database's clock, and during the run by the monotonic clock of this process.
 *                    The first attempt always runs. This is the only limit for snoozes. At least 1 ms; none by default
 * @param backoff     the delays between attempts
 * @param rules       the decisions for single types of failures: the first rule that matches applies; a failure that no rule matches is retried
 */
public record RetryPolicy(int maxAttempts, @Nullable Duration maxAge, Backoff backoff, List<RetryRule> rules) {

    private static final RetryPolicy DEFAULTS = new RetryPolicy(5, null, Backoff.defaults(), List.of());

    public RetryPolicy {
        require(
                maxAttempts >= 1 && maxAttempts <= 1000,
                "retry policy: maxAttempts must be 1 to 1000, was " + maxAttempts);
        require(
                maxAge == null || maxAge.compareTo(Duration.ofMillis(1)) >= 0,
                "retry policy: maxAge must be at least 1 ms, was " + maxAge);
        rules = List.copyOf(rules);
    }

    /** Five attempts with exponential backoff from 1 s to 10 min. */
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

    /** Sets an exponential backoff: from {@code initial}, multiplied by {@code factor}, up to {@code max}. Keeps the jitter. */
    public RetryPolicy withBackoff(Duration initial, double factor, Duration max) {
        return withBackoff(new Backoff(initial, factor, max, backoff.jitter()));
    }

    /** Sets the same delay for all attempts. Keeps the jitter. */
    public RetryPolicy withFixedBackoff(Duration delay) {
        return withBackoff(delay, 1, delay);
    }

    public RetryPolicy withJitter(double value) {
        return withBackoff(backoff.withJitter(value));
    }

    /** Appends a rule. */
    public RetryPolicy withRule(RetryRule rule) {
        List<RetryRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new RetryPolicy(maxAttempts, maxAge, backoff, more);
    }

    /**
     * Returns the outcome of a failed attempt.
     *
     * @param failure what the handler threw
     * @param attempt the number of the attempt, 1 for the first
     * @param age     the age of the message
     */
    public Outcome afterFailure(Throwable failure, int attempt, Duration age) {
        return afterFailure(failure, attempt, age, ThreadLocalRandom.current()::nextDouble);
    }

    Outcome afterFailure(Throwable failure, int attempt, Duration age, DoubleSupplier random) {
        String error = CauseChain.describe(failure);
        RetryRule rule =
                rules.stream().filter(r -> r.matches(failure)).findFirst().orElse(null);
        if (rule != null && rule.decision() == RetryRule.Decision.IGNORE) {
            return Outcome.cancel("ignored: " + error);
        }
        if (attempt >= maxAttempts || (rule != null && rule.decision() == RetryRule.Decision.DEAD)) {
            return Outcome.dead(error);
        }
        Duration own = rule == null ? null : rule.delay();
        Duration delay = own == null ? backoff.after(attempt, random) : backoff.spread(own, random);
        return isTooOld(delay, age) ? dead(error) : Outcome.retryAfter(delay, error);
    }

    /**
     * Applies the limits of this policy to the outcome of a handler: a retry after the last attempt, and a retry or snooze beyond the maximum age,
     * becomes a dead letter.
     *
     * @param asked   the outcome of the handler
     * @param attempt the number of the attempt, 1 for the first
     * @param age     the age of the message
     */
    public Outcome limit(Outcome asked, int attempt, Duration age) {
        if (asked instanceof Outcome.Retry retry) {
            if (attempt >= maxAttempts) {
                return Outcome.dead("no attempt is left after " + attempt + ": " + retry.error());
            }
            return isTooOld(retry.delay(), age) ? dead(retry.error()) : asked;
        }
        return asked instanceof Outcome.Snooze snooze && isTooOld(snooze.delay(), age) ? dead(snooze.reason()) : asked;
    }

    private boolean isTooOld(Duration delay, Duration age) {
        return maxAge != null && age.plus(delay).compareTo(maxAge) >= 0;
    }

    private Outcome dead(String error) {
        return Outcome.dead("no start is left within the maximum age of " + maxAge + ": " + error);
    }
}

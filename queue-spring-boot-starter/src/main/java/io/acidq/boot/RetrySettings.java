package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One retry policy.
 *
 * @param maxAttempts  Starts until the message is a dead letter. Too low: a short outage of a partner kills messages; too high: a
 *                     message that can not succeed is tried for days.
 * @param maxAge       No start is planned at this age or later, counted from the first due time.
 * @param backoff      Whether waits grow (exponential) or are all as long as initial-delay (fixed).
 * @param initialDelay The wait after the first failure. Too low: a struggling partner is hit at once; too high: a hiccup costs latency.
 * @param multiplier   By which each wait is longer than the one before, when they grow.
 * @param maxDelay     No wait is longer, before jitter, when they grow.
 * @param jitter       Each wait is shortened or lengthened at random by up to this share, 0 to 1.
 * @param retryOn      Failures of these types are retried, though another rule names a type above them.
 * @param deadOn       Failures of these types make a dead letter at once.
 * @param ignoreOn     Messages with failures of these types leave as cancelled, their effects rolled back.
 * @param causes       Whether the three rules look at the causes of a failure too.
 */
record RetrySettings(
        @DefaultValue("5") int maxAttempts,
        @Nullable Duration maxAge,
        @DefaultValue("exponential") Growth backoff,
        @DefaultValue("1s") Duration initialDelay,
        @DefaultValue("2") double multiplier,
        @DefaultValue("10m") Duration maxDelay,
        @DefaultValue("0.2") double jitter,
        @DefaultValue List<Class<? extends Throwable>> retryOn,
        @DefaultValue List<Class<? extends Throwable>> deadOn,
        @DefaultValue List<Class<? extends Throwable>> ignoreOn,
        @DefaultValue("false") boolean causes) {

    /** How waits grow. */
    enum Growth {
        FIXED,
        EXPONENTIAL
    }

    RetryPolicy policy() {
        Backoff waits = backoff == Growth.FIXED
                ? Backoff.fixed(initialDelay).withJitter(jitter)
                : new Backoff(initialDelay, multiplier, maxDelay, jitter);
        return new RetryPolicy(maxAttempts, maxAge, waits, rules());
    }

    /** In properties rules have no order among the lists, so the most special type goes first. */
    private List<RetryRule> rules() {
        List<RetryRule> rules = new ArrayList<>();
        deadOn.forEach(type -> rules.add(RetryRule.deadOn(type)));
        ignoreOn.forEach(type -> rules.add(RetryRule.ignoreOn(type)));
        retryOn.forEach(type -> rules.add(RetryRule.retryOn(type)));
        Set<Class<?>> ruled = new HashSet<>();
        for (RetryRule rule : rules) {
            if (!ruled.add(rule.failure())) {
                throw new QueueMisuseException(
                        rule.failure().getName()
                                + " stands twice in retry-on, dead-on and ignore-on, and only one of them could hold: leave it in that one");
            }
        }
        return rules.stream()
                .sorted(Comparator.comparingInt(r -> -depth(r.failure())))
                .map(r -> causes ? r.orCause() : r)
                .toList();
    }

    private static int depth(@Nullable Class<?> type) {
        return type == null ? 0 : 1 + depth(type.getSuperclass());
    }
}

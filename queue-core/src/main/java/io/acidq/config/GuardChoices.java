package io.acidq.config;

import io.acidq.resilience.Choice;
import io.acidq.resilience.Guard;

/**
 * The guards of a listener, each given as it is (then the queue's own), by name (then shared with the other listeners of the
 * engine that name it), or not at all. Immutable.
 *
 * @param breaker   the circuit breaker
 * @param rateLimit the limit of starts
 * @param bulkhead  the limit of runs at once
 */
public record GuardChoices(
        Choice<Guard.Source> breaker, Choice<Guard.Source> rateLimit, Choice<Guard.Source> bulkhead) {

    private static final GuardChoices NONE = new GuardChoices(Choice.none(), Choice.none(), Choice.none());

    public static GuardChoices none() {
        return NONE;
    }

    GuardChoices withBreaker(Choice<Guard.Source> value) {
        return new GuardChoices(value, rateLimit, bulkhead);
    }

    GuardChoices withRateLimit(Choice<Guard.Source> value) {
        return new GuardChoices(breaker, value, bulkhead);
    }

    GuardChoices withBulkhead(Choice<Guard.Source> value) {
        return new GuardChoices(breaker, rateLimit, value);
    }
}

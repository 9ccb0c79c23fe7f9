package io.acidq.config;

import io.acidq.resilience.Guard;
import io.acidq.resilience.NamedOrGiven;

/**
 * The guards of a listener, each given as it is (then the queue's own), by name (then shared with the other listeners of the
 * engine that name it), or not at all. Immutable.
 *
 * @param breaker   the circuit breaker
 * @param rateLimit the limit of starts
 * @param bulkhead  the limit of runs at once
 */
public record GuardRefs(
        NamedOrGiven<Guard.Source> breaker, NamedOrGiven<Guard.Source> rateLimit, NamedOrGiven<Guard.Source> bulkhead) {

    private static final GuardRefs NONE = new GuardRefs(NamedOrGiven.none(), NamedOrGiven.none(), NamedOrGiven.none());

    public static GuardRefs none() {
        return NONE;
    }

    GuardRefs withBreaker(NamedOrGiven<Guard.Source> value) {
        return new GuardRefs(value, rateLimit, bulkhead);
    }

    GuardRefs withRateLimit(NamedOrGiven<Guard.Source> value) {
        return new GuardRefs(breaker, value, bulkhead);
    }

    GuardRefs withBulkhead(NamedOrGiven<Guard.Source> value) {
        return new GuardRefs(breaker, rateLimit, value);
    }
}

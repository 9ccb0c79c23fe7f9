package io.acidq.config;

import io.acidq.resilience.Guard;
import io.acidq.resilience.NamedOrGiven;

/**
 * The guards of a listener. Each is an object (used by this listener only), a name (shared with the other listeners of the engine that use the
 * name), or absent. Immutable.
 *
 * @param breaker   the circuit breaker
 * @param rateLimit the rate limit of starts
 * @param bulkhead  the limit of messages that run at the same time
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

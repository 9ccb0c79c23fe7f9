package io.acidq.resilience;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;

/**
 * The one door for objects of Resilience4j that an application has already, and may share with its own calls. The only class of
 * AcidQ that has Resilience4j in its signatures. Such an object keeps its own settings, among them which exceptions count; give
 * a rate limiter and a bulkhead no time to wait, for a queue that waits for them would hold its workers.
 */
public final class Resilience4jGuards {

    private Resilience4jGuards() {}

    public static Guard.Source of(CircuitBreaker breaker) {
        return (name, nanoTime) -> new BreakerGuard(breaker, name, nanoTime, false);
    }

    public static Guard.Source of(RateLimiter limiter) {
        return (name, nanoTime) -> new RateLimitGuard(limiter, name);
    }

    public static Guard.Source of(Bulkhead bulkhead) {
        return (name, nanoTime) -> new BulkheadGuard(bulkhead, name);
    }
}

package io.acidq.resilience;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;

/**
 * Adapts existing objects of Resilience4j, which the application may share with its own calls. The only class of AcidQ with Resilience4j in its signatures.
 * The object keeps its settings, including which exceptions count. Configure rate limiters and bulkheads without a wait time, because a wait would block
 * workers.
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

package io.acidq.boot;

import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.Resilience4jGuards;
import io.acidq.spring.GuardFinder;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** Finds guards in the application's Resilience4j registries. Only existing ones: a lookup creates none. */
final class Resilience4jGuardFinder implements GuardFinder {

    private final ObjectProvider<CircuitBreakerRegistry> breakers;
    private final ObjectProvider<RateLimiterRegistry> limiters;
    private final ObjectProvider<BulkheadRegistry> bulkheads;

    Resilience4jGuardFinder(
            ObjectProvider<CircuitBreakerRegistry> breakers,
            ObjectProvider<RateLimiterRegistry> limiters,
            ObjectProvider<BulkheadRegistry> bulkheads) {
        this.breakers = breakers;
        this.limiters = limiters;
        this.bulkheads = bulkheads;
    }

    @Override
    public Optional<Guard.Source> find(Kind kind, String name) {
        return switch (kind) {
            case BREAKER ->
                breakers().filter(b -> b.getName().equals(name)).findFirst().map(Resilience4jGuards::of);
            case RATE_LIMIT ->
                limiters().filter(l -> l.getName().equals(name)).findFirst().map(Resilience4jGuards::of);
            case BULKHEAD ->
                bulkheads().filter(b -> b.getName().equals(name)).findFirst().map(Resilience4jGuards::of);
        };
    }

    @Override
    public Set<String> names(Kind kind) {
        return switch (kind) {
            case BREAKER -> breakers().map(CircuitBreaker::getName).collect(Collectors.toSet());
            case RATE_LIMIT -> limiters().map(RateLimiter::getName).collect(Collectors.toSet());
            case BULKHEAD -> bulkheads().map(Bulkhead::getName).collect(Collectors.toSet());
        };
    }

    private Stream<CircuitBreaker> breakers() {
        return breakers.orderedStream().flatMap(r -> r.getAllCircuitBreakers().stream());
    }

    private Stream<RateLimiter> limiters() {
        return limiters.orderedStream().flatMap(r -> r.getAllRateLimiters().stream());
    }

    private Stream<Bulkhead> bulkheads() {
        return bulkheads.orderedStream().flatMap(r -> r.getAllBulkheads().stream());
    }
}

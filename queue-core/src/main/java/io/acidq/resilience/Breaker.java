package io.acidq.resilience;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The settings of a circuit breaker. It opens when too many of the latest runs in this node have failed; no message is claimed or started until a few test
 * runs have succeeded. Immutable.
 *
 * @param failureRate     the share of failed runs at which it opens, above 0 to 1. Too low: chance opens it; too high: a system
 *                        that is down is called until the attempts are exhausted. Default 0.5
 * @param window          how many of the latest runs count, 1 to 10,000. Default 20
 * @param minimumRuns     the number of runs before which it does not open, 1 to {@code window}. Too low: the first failures open it; too
 *                        high: a quiet queue never opens it. Default 10
 * @param openFor         how long it stays open before it tests, 10 ms to 1 day. Too short: an overloaded system is called again
 *                        and again; too long: the backlog grows after the called system is back. Default 30 s
 * @param testRuns        how many may start while it is half open, 1 to 1000; their failures decide. Default 3
 * @param ignored         failures of these types, or with such a cause, which do not count
 * @param databaseErrors  whether transient errors of the queue's database (deadlock, lost connection) count as failures.
 *                        Default false
 */
public record Breaker(
        double failureRate,
        int window,
        int minimumRuns,
        Duration openFor,
        int testRuns,
        List<Class<? extends Throwable>> ignored,
        boolean databaseErrors)
        implements Guard.Source {

    private static final Breaker DEFAULTS = new Breaker(0.5, 20, 10, Duration.ofSeconds(30), 3, List.of(), false);

    public Breaker {
        require(
                failureRate > 0 && failureRate <= 1,
                "breaker: failureRate must be above 0 and at most 1, was " + failureRate);
        require(window >= 1 && window <= 10_000, "breaker: window must be 1 to 10000, was " + window);
        require(
                minimumRuns >= 1 && minimumRuns <= window,
                "breaker: minimumRuns must be 1 to window (" + window + "), was " + minimumRuns);
        require(
                isWithin(openFor, Duration.ofMillis(10), Duration.ofDays(1)),
                "breaker: openFor must be 10 ms to 1 day, was " + openFor);
        require(testRuns >= 1 && testRuns <= 1000, "breaker: testRuns must be 1 to 1000, was " + testRuns);
        ignored = List.copyOf(ignored);
        for (Class<?> type : ignored) { // a configuration can bring any class
            require(
                    Throwable.class.isAssignableFrom(type),
                    "breaker: ignored has " + type.getName() + ", no type of exception");
        }
    }

    public static Breaker defaults() {
        return DEFAULTS;
    }

    /** Sets when it opens: at this share of failures among the {@code ofLatest} latest runs, and after {@code atLeast} runs. */
    public Breaker withFailureRate(double rate, int ofLatest, int atLeast) {
        return new Breaker(rate, ofLatest, atLeast, openFor, testRuns, ignored, databaseErrors);
    }

    /** Sets how long it stays open, and how many test runs then decide whether it closes. */
    public Breaker withRecovery(Duration afterOpen, int tests) {
        return new Breaker(failureRate, window, minimumRuns, afterOpen, tests, ignored, databaseErrors);
    }

    public Breaker withIgnored(List<Class<? extends Throwable>> value) {
        return new Breaker(failureRate, window, minimumRuns, openFor, testRuns, value, databaseErrors);
    }

    public Breaker withDatabaseErrors(boolean value) {
        return new Breaker(failureRate, window, minimumRuns, openFor, testRuns, ignored, value);
    }

    @Override
    public Guard guard(String name, LongSupplier nanoTime) {
        CircuitBreakerConfig config = CircuitBreakerConfig.custom()
                .failureRateThreshold((float) (failureRate * 100))
                .slidingWindow(window, minimumRuns, SlidingWindowType.COUNT_BASED)
                .waitDurationInOpenState(openFor)
                .permittedNumberOfCallsInHalfOpenState(testRuns)
                .ignoreException(t ->
                        CauseChain.of(t).stream().anyMatch(c -> ignored.stream().anyMatch(type -> type.isInstance(c))))
                .clock(new MonotonicClock(nanoTime))
                .build();
        return Resilience4jGuards.of(CircuitBreaker.of(name, config), databaseErrors)
                .guard(name, nanoTime);
    }

    /** A {@link Clock} for Resilience4j with monotonic time, so that a change of the wall clock does not affect a breaker. */
    private static final class MonotonicClock extends Clock {

        private final LongSupplier nanoTime;
        private final long begin;

        MonotonicClock(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.begin = nanoTime.getAsLong();
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanoTime.getAsLong() - begin);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}

package io.acidq.resilience;

import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adapts existing objects of Resilience4j, which the application may share with its own calls. The only class of AcidQ with Resilience4j in its signatures.
 * The object keeps its settings, including which exceptions count. Configure rate limiters and bulkheads without a wait time, because a wait would block
 * workers.
 */
public final class Resilience4jGuards {

    private static final Duration NEVER = Duration.ofHours(1);

    private Resilience4jGuards() {}

    public static Guard.Source of(CircuitBreaker breaker) {
        return of(breaker, false);
    }

    /**
     * Returns the source of a guard as {@link #of(CircuitBreaker)} does. Transient errors of the queue's database count as failures if {@code databaseErrors} is
     * true.
     */
    static Guard.Source of(CircuitBreaker breaker, boolean databaseErrors) {
        return (name, nanoTime) -> new BreakerGuard(breaker, name, nanoTime, databaseErrors);
    }

    public static Guard.Source of(RateLimiter limiter) {
        return (name, nanoTime) -> new RateLimitGuard(limiter, name);
    }

    public static Guard.Source of(Bulkhead bulkhead) {
        return (name, nanoTime) -> new BulkheadGuard(bulkhead, name);
    }

    /** A circuit breaker. A request while it is open would count as a refused call, so a permission is requested only after its wait. */
    private static final class BreakerGuard implements Guard {

        /** A breaker becomes half open only after its wait, and the clock of an existing one may count milliseconds. */
        private static final long MARGIN_NANOS = Duration.ofMillis(1).toNanos();

        /** The time between two requests when the breaker is open for longer than its first wait, because another caller may have opened it again. */
        private static final long RECHECK_NANOS = Duration.ofSeconds(1).toNanos();

        private final CircuitBreaker breaker;
        private final String name;
        private final LongSupplier nanoTime;
        private final boolean databaseErrors;
        private final AtomicInteger tests = new AtomicInteger();
        private volatile boolean seenOpen;
        private long retryAt;

        BreakerGuard(CircuitBreaker breaker, String name, LongSupplier nanoTime, boolean databaseErrors) {
            this.breaker = breaker;
            this.name = name;
            this.nanoTime = nanoTime;
            this.databaseErrors = databaseErrors;
        }

        @Override
        public @Nullable Entry enter() {
            if (updateStatus() == Status.STOPS || !breaker.tryAcquirePermission()) {
                return null;
            }
            boolean test = breaker.getState() == State.HALF_OPEN;
            if (test) {
                tests.incrementAndGet();
            }
            return new BreakerEntry(test);
        }

        @Override
        public int freeCapacity() {
            return switch (updateStatus()) {
                case LETS_THROUGH -> Integer.MAX_VALUE;
                case TESTS -> testsLeft();
                case STOPS -> 0;
            };
        }

        @Override
        public synchronized Duration untilChange() {
            return updateStatus() == Status.STOPS && seenOpen
                    ? Duration.ofNanos(Math.max(1, retryAt - nanoTime.getAsLong()))
                    : NEVER;
        }

        @Override
        public GuardState state() {
            Status status = updateStatus();
            return new GuardState(Kind.BREAKER, name, status, freeCapacity(), untilChange());
        }

        private int testsLeft() {
            int permitted = breaker.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState();
            return Math.max(0, permitted - tests.get() - breaker.getMetrics().getNumberOfBufferedCalls());
        }

        /** Returns the current status. A breaker whose wait is over becomes half open here. */
        private Status updateStatus() {
            State state = breaker.getState();
            if (state == State.OPEN) {
                return updateOpenStatus();
            }
            seenOpen = false; // the next open state begins a new wait
            return state == State.FORCED_OPEN
                    ? Status.STOPS
                    : state == State.HALF_OPEN ? Status.TESTS : Status.LETS_THROUGH;
        }

        private synchronized Status updateOpenStatus() {
            long now = nanoTime.getAsLong();
            if (!seenOpen) {
                seenOpen = true;
                retryAt = now
                        + MARGIN_NANOS
                        + TimeUnit.MILLISECONDS.toNanos(breaker.getCircuitBreakerConfig()
                                .getWaitIntervalFunctionInOpenState()
                                .apply(1));
            }
            if (now - retryAt < 0) {
                return Status.STOPS;
            }
            if (breaker.tryAcquirePermission()) {
                breaker.releasePermission();
            }
            if (breaker.getState() == State.OPEN) {
                retryAt = now + RECHECK_NANOS;
                return Status.STOPS;
            }
            seenOpen = false;
            return Status.TESTS;
        }

        /** One run. A run that began before the breaker opened does not count as a test and has no permission to release. */
        private final class BreakerEntry implements Entry {

            private final boolean test;

            BreakerEntry(boolean test) {
                this.test = test;
            }

            @Override
            public void succeeded(Duration took) {
                record(() -> breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS));
            }

            @Override
            public void failed(Duration took, Throwable failure) {
                record(() -> breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, failure));
            }

            @Override
            public void requeued(Duration took, Throwable failure) {
                if (databaseErrors) {
                    failed(took, failure);
                } else {
                    unused();
                }
            }

            @Override
            public void unused() {
                record(breaker::releasePermission);
            }

            private void record(Runnable end) {
                if (test) {
                    tests.decrementAndGet();
                }
                if (test == (breaker.getState() == State.HALF_OPEN)) {
                    end.run();
                    updateStatus(); // if this result opened the breaker, its wait begins now
                }
            }
        }
    }

    /** A rate limiter, which uses its own monotonic clock. */
    private record RateLimitGuard(RateLimiter limiter, String name) implements Guard {

        /** An entry without effect, because a used permit is not returned. */
        private static final Entry ENTRY = new Entry() {};

        @Override
        public @Nullable Entry enter() {
            // checked first, because an existing rate limiter may be configured to wait for a permit
            return freeCapacity() > 0 && limiter.acquirePermission() ? ENTRY : null;
        }

        @Override
        public int freeCapacity() {
            return Math.max(0, limiter.getMetrics().getAvailablePermissions());
        }

        @Override
        public Duration untilChange() {
            Duration period = limiter.getRateLimiterConfig().getLimitRefreshPeriod();
            Duration wait = limiter instanceof AtomicRateLimiter known && freeCapacity() == 0
                    ? Duration.ofNanos(known.getDetailedMetrics().getNanosToWait())
                    : period.compareTo(RateLimit.MIN_PERIOD) < 0 ? RateLimit.MIN_PERIOD : period;
            return wait.isZero() ? Duration.ofNanos(1) : wait;
        }

        @Override
        public GuardState state() {
            int permits = freeCapacity();
            return new GuardState(
                    Kind.RATE_LIMIT, name, permits > 0 ? Status.LETS_THROUGH : Status.STOPS, permits, untilChange());
        }
    }

    /** A bulkhead. */
    private record BulkheadGuard(Bulkhead bulkhead, String name) implements Guard {

        /** The time between two checks of a full bulkhead: there is no notification when another queue frees a permit. */
        private static final Duration RECHECK_WHEN_FULL = Duration.ofMillis(50);

        @Override
        public @Nullable Entry enter() {
            // checked first, because an existing bulkhead may be configured to wait for a permit
            return freePermits() > 0 && bulkhead.tryAcquirePermission() ? new BulkheadEntry(bulkhead) : null;
        }

        /** The maximum of running messages, also while it is full, so that the next messages are claimed in advance. */
        @Override
        public int freeCapacity() {
            return bulkhead.getBulkheadConfig().getMaxConcurrentCalls();
        }

        @Override
        public Duration untilChange() {
            return freePermits() > 0 ? NEVER : RECHECK_WHEN_FULL;
        }

        @Override
        public GuardState state() {
            int permits = Math.max(0, freePermits());
            return new GuardState(
                    Kind.BULKHEAD, name, permits > 0 ? Status.LETS_THROUGH : Status.STOPS, permits, untilChange());
        }

        private int freePermits() {
            return bulkhead.getMetrics().getAvailableConcurrentCalls();
        }
    }

    /** A permit of a bulkhead that is in use. */
    private record BulkheadEntry(Bulkhead bulkhead) implements Guard.Entry {

        @Override
        public void succeeded(Duration took) {
            bulkhead.onComplete();
        }

        @Override
        public void failed(Duration took, Throwable failure) {
            bulkhead.onComplete();
        }

        @Override
        public void requeued(Duration took, Throwable failure) {
            bulkhead.onComplete();
        }

        @Override
        public void unused() {
            bulkhead.releasePermission();
        }
    }
}

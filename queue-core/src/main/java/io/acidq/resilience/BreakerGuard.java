package io.acidq.resilience;

import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A circuit breaker of Resilience4j. A request while it is open would count as a refused call, so a permission is requested only after its wait. */
final class BreakerGuard implements Guard {

    private static final Duration NEVER = Duration.ofHours(1);
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
        public void requeued(Duration took, Throwable cause) {
            if (databaseErrors) {
                failed(took, cause);
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

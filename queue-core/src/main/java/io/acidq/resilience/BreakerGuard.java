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

/** A circuit breaker of Resilience4j. Asking it while it is open would count as a refused call, so it is asked only when its wait is over. */
final class BreakerGuard implements Guard {

    private static final Duration NEVER = Duration.ofHours(1);
    /** It opens only after its wait, and the clock of one made elsewhere may count milliseconds. */
    private static final long MARGIN_NANOS = Duration.ofMillis(1).toNanos();
    /** Between two questions when it is open for longer than its first wait, as another may have told it. */
    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final CircuitBreaker breaker;
    private final String name;
    private final LongSupplier nanoTime;
    private final boolean databaseErrors;
    private final AtomicInteger tests = new AtomicInteger();
    private volatile boolean seenOpen;
    private long askAt;

    BreakerGuard(CircuitBreaker breaker, String name, LongSupplier nanoTime, boolean databaseErrors) {
        this.breaker = breaker;
        this.name = name;
        this.nanoTime = nanoTime;
        this.databaseErrors = databaseErrors;
    }

    @Override
    public @Nullable Entry enter() {
        if (look() == Status.STOPS || !breaker.tryAcquirePermission()) {
            return null;
        }
        boolean test = breaker.getState() == State.HALF_OPEN;
        if (test) {
            tests.incrementAndGet();
        }
        return new Run(test);
    }

    @Override
    public int room() {
        return switch (look()) {
            case LETS_THROUGH -> Integer.MAX_VALUE;
            case TESTS -> testsLeft();
            case STOPS -> 0;
        };
    }

    @Override
    public synchronized Duration untilChange() {
        return look() == Status.STOPS && seenOpen ? Duration.ofNanos(Math.max(1, askAt - nanoTime.getAsLong())) : NEVER;
    }

    @Override
    public GuardState state() {
        Status status = look();
        return new GuardState(Kind.BREAKER, name, status, room(), untilChange());
    }

    private int testsLeft() {
        int permitted = breaker.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState();
        return Math.max(0, permitted - tests.get() - breaker.getMetrics().getNumberOfBufferedCalls());
    }

    /** What it is now; one whose wait is over is half open from here on. */
    private Status look() {
        State state = breaker.getState();
        if (state == State.OPEN) {
            return lookAtOpen();
        }
        seenOpen = false; // however it left that state: the next time has a wait of its own
        return state == State.FORCED_OPEN
                ? Status.STOPS
                : state == State.HALF_OPEN ? Status.TESTS : Status.LETS_THROUGH;
    }

    private synchronized Status lookAtOpen() {
        long now = nanoTime.getAsLong();
        if (!seenOpen) {
            seenOpen = true;
            askAt = now
                    + MARGIN_NANOS
                    + TimeUnit.MILLISECONDS.toNanos(breaker.getCircuitBreakerConfig()
                            .getWaitIntervalFunctionInOpenState()
                            .apply(1));
        }
        if (now - askAt < 0) {
            return Status.STOPS;
        }
        if (breaker.tryAcquirePermission()) {
            breaker.releasePermission();
        }
        if (breaker.getState() == State.OPEN) {
            askAt = now + AGAIN_NANOS;
            return Status.STOPS;
        }
        seenOpen = false;
        return Status.TESTS;
    }

    /** One run. A run that began before the breaker opened says nothing about the test, and has no permit of it to give back. */
    private final class Run implements Entry {
        private final boolean test;

        Run(boolean test) {
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
        public void gaveBack(Duration took, Throwable cause) {
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
                look(); // when this opened it, its wait begins now
            }
        }
    }
}

package io.acidq.resilience;

import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.bulkhead.Bulkhead;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A bulkhead of Resilience4j. */
final class BulkheadGuard implements Guard {

    private static final Duration NEVER = Duration.ofHours(1);
    /** The time between two checks of a full bulkhead: there is no notification when another queue frees a permit. */
    private static final Duration RECHECK_WHEN_FULL = Duration.ofMillis(50);

    private final Bulkhead bulkhead;
    private final String name;

    BulkheadGuard(Bulkhead bulkhead, String name) {
        this.bulkhead = bulkhead;
        this.name = name;
    }

    @Override
    public @Nullable Entry enter() {
        // checked first, because an existing bulkhead may be configured to wait for a permit
        return freePermits() > 0 && bulkhead.tryAcquirePermission() ? new BulkheadEntry() : null;
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
        int places = Math.max(0, freePermits());
        return new GuardState(
                Kind.BULKHEAD, name, places > 0 ? Status.LETS_THROUGH : Status.STOPS, places, untilChange());
    }

    private int freePermits() {
        return bulkhead.getMetrics().getAvailableConcurrentCalls();
    }

    /** A permit that is in use. */
    private final class BulkheadEntry implements Entry {
        @Override
        public void succeeded(Duration took) {
            bulkhead.onComplete();
        }

        @Override
        public void failed(Duration took, Throwable failure) {
            bulkhead.onComplete();
        }

        @Override
        public void requeued(Duration took, Throwable cause) {
            bulkhead.onComplete();
        }

        @Override
        public void unused() {
            bulkhead.releasePermission();
        }
    }
}

package io.acidq.resilience;

import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.bulkhead.Bulkhead;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A bulkhead of Resilience4j. */
final class BulkheadGuard implements Guard {

    private static final Duration NEVER = Duration.ofHours(1);
    /** When it is full: a place that another queue gives free is told to nobody. */
    private static final Duration FULL = Duration.ofMillis(50);

    private final Bulkhead bulkhead;
    private final String name;

    BulkheadGuard(Bulkhead bulkhead, String name) {
        this.bulkhead = bulkhead;
        this.name = name;
    }

    @Override
    public @Nullable Entry enter() {
        // looked at first, because one that was made elsewhere may wait for a place
        return places() > 0 && bulkhead.tryAcquirePermission() ? new Place() : null;
    }

    /** As many as may run, also while it is full: what starts next is claimed in advance. */
    @Override
    public int room() {
        return bulkhead.getBulkheadConfig().getMaxConcurrentCalls();
    }

    @Override
    public Duration untilChange() {
        return places() > 0 ? NEVER : FULL;
    }

    @Override
    public GuardState state() {
        int places = Math.max(0, places());
        return new GuardState(
                Kind.BULKHEAD, name, places > 0 ? Status.LETS_THROUGH : Status.STOPS, places, untilChange());
    }

    private int places() {
        return bulkhead.getMetrics().getAvailableConcurrentCalls();
    }

    /** A place that is taken. */
    private final class Place implements Entry {
        @Override
        public void succeeded(Duration took) {
            bulkhead.onComplete();
        }

        @Override
        public void failed(Duration took, Throwable failure) {
            bulkhead.onComplete();
        }

        @Override
        public void gaveBack(Duration took, Throwable cause) {
            bulkhead.onComplete();
        }

        @Override
        public void unused() {
            bulkhead.releasePermission();
        }
    }
}

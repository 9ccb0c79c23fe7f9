package io.acidq.resilience;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the starts of a queue's messages in one node, or of several queues' that share it: a circuit breaker, a rate
 * limiter, a bulkhead. What it holds back is not claimed and burns no attempt. Thread-safe; never waits.
 */
public interface Guard {

    /** Lets one more start through; null when it does not now. Each entry is ended by exactly one of its methods. */
    @Nullable
    Entry enter();

    /** How many messages, startable ones in the buffer included, are worth holding for it now; 0 stops claiming. */
    int room();

    /** How long until its room may change by the mere passing of time. */
    Duration untilChange();

    GuardState state();

    /** A start that was let through. */
    interface Entry {

        /** The handler succeeded and its transaction committed. */
        void succeeded(Duration took);

        /** The handler failed, or asked for a retry. */
        void failed(Duration took, Throwable failure);

        /** The run came to nothing through an error of the queue's own database; no attempt was counted. */
        void gaveBack(Duration took, Throwable cause);

        /** The run says nothing about what is guarded. */
        void unused();
    }

    /** What makes guards: settings, or a door to one that is there already. */
    interface Source {

        /**
         * The guard, for one run of an engine.
         *
         * @param name     what operators call it
         * @param nanoTime a monotonic clock
         */
        Guard guard(String name, LongSupplier nanoTime);
    }
}

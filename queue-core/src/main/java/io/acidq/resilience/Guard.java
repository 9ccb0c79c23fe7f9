package io.acidq.resilience;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether messages of a queue, or of several queues that share it, may start in this node: a circuit breaker, a rate limiter or a bulkhead. A
 * message that it holds back is not claimed and uses no attempt. Thread-safe; never waits.
 */
public interface Guard {

    /** Permits one more start; null when it does not now. The engine calls exactly one method of each entry. */
    @Nullable
    Entry enter();

    /** How many messages may be claimed and wait for their start now, including those in the buffer; 0 stops claiming. */
    int freeCapacity();

    /** How long until the free capacity may change without another call. */
    Duration untilChange();

    /** The state at this moment. */
    GuardState state();

    /** A start that was permitted. Each method does nothing by default. */
    interface Entry {

        /** The handler succeeded and its transaction committed. */
        default void succeeded(Duration took) {}

        /** The handler failed, or asked for a retry. */
        default void failed(Duration took, Throwable failure) {}

        /** The run failed by an error of the queue's database; no attempt was counted. */
        default void requeued(Duration took, Throwable failure) {}

        /** The result of the run does not count for the guard. */
        default void unused() {}
    }

    /** Creates guards: from settings, or from an existing object of Resilience4j ({@link Resilience4jGuards}). */
    interface Source {

        /**
         * Creates the guard for one run of an engine.
         *
         * @param name     its name for operators
         * @param nanoTime a monotonic clock
         */
        Guard guard(String name, LongSupplier nanoTime);
    }
}

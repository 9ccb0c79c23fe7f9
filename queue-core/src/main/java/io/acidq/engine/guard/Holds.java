package io.acidq.engine.guard;

import java.util.function.BooleanSupplier;

/**
 * What may hold up the starts of a queue.
 *
 * @param guards breaker, rate limit, bulkhead
 * @param paused whether an operator has paused it
 */
public record Holds(Guards guards, BooleanSupplier paused) {

    public boolean isPaused() {
        return paused.getAsBoolean();
    }
}

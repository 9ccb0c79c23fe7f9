package io.acidq.engine.guard;

import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import java.time.Duration;

/** A guard that lets everything through and is its own entry. */
class FakeGuard implements Guard, Guard.Entry {

    @Override
    public Entry enter() {
        return this;
    }

    @Override
    public int freeCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Duration untilChange() {
        return Duration.ofHours(1);
    }

    @Override
    public GuardState state() {
        return new GuardState(
                GuardState.Kind.BREAKER, "fake", GuardState.Status.LETS_THROUGH, freeCapacity(), untilChange());
    }
}

package io.acidq.resilience;

import io.github.resilience4j.core.IntervalFunction;

/** A public class whose signature leaks Resilience4j, and that knows a neighbour. */
public class GuiltyLeak {
    public io.acidq.store.Due due = io.acidq.store.Due.NOW;

    public IntervalFunction interval() {
        return IntervalFunction.of(1);
    }
}

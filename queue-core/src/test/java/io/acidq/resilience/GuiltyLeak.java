package io.acidq.resilience;

import io.github.resilience4j.core.IntervalFunction;

/** A public class with a type of Resilience4j in a signature, which depends on another package of its level. */
public class GuiltyLeak {
    public io.acidq.store.Due due = io.acidq.store.Due.NOW;

    public IntervalFunction interval() {
        return IntervalFunction.of(1);
    }
}

package io.acidq.engine.node;

import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.engine.duty.Duty;
import java.time.Duration;

/** Finds out that the heart stands still, which it can not do itself. Asks no database. */
public final class Pulse implements Duty {

    private final DatabaseWatch watch;
    private final Duration beat;

    public Pulse(DatabaseWatch watch, Duration beat) {
        this.watch = watch;
        this.beat = beat;
    }

    @Override
    public String name() {
        return "pulse";
    }

    @Override
    public Duration runOnce() {
        watch.look();
        return beat;
    }
}

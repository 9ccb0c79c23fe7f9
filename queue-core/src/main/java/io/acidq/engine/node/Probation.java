package io.acidq.engine.node;

import java.util.concurrent.atomic.AtomicBoolean;

/** One suspect at a time in this node, whatever its queue. */
public final class Probation {

    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether the caller may now claim a suspect; it must then {@link #leave} once, after the suspect's end or without one. */
    public boolean enter() {
        return taken.compareAndSet(false, true);
    }

    public void leave() {
        taken.set(false);
    }
}

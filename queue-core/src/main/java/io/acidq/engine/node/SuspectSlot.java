package io.acidq.engine.node;

import java.util.concurrent.atomic.AtomicBoolean;

/** The one place for a suspect in this node, whatever its queue. Thread-safe. */
public final class SuspectSlot {

    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether the caller may now claim a suspect. It must then {@link #release} once, after the suspect's end or without one. */
    public boolean tryAcquire() {
        return taken.compareAndSet(false, true);
    }

    public void release() {
        taken.set(false);
    }
}

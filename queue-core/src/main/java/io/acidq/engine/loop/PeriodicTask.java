package io.acidq.engine.loop;

import java.time.Duration;

/** Something that the engine does again and again, on a thread of its own. */
public interface PeriodicTask {

    /** What operators call it. */
    String name();

    /** Does it once and returns how long to wait until the next time. */
    Duration runOnce() throws Exception;
}

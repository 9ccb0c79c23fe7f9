package io.acidq.engine.duty;

import java.time.Duration;

/** A small thing that the engine does again and again. */
public interface Duty {

    /** What operators call it. */
    String name();

    /** Does it once and returns how long to wait until the next time. */
    Duration runOnce() throws Exception;
}

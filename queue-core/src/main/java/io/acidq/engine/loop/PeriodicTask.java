package io.acidq.engine.loop;

import java.time.Duration;

/** A task that the engine repeats on a thread of its own. */
public interface PeriodicTask {

    /** Returns the name for logs and threads. */
    String name();

    /** Runs the task once and returns how long to wait before the next run. */
    Duration runOnce() throws Exception;
}

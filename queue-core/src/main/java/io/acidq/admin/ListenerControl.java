package io.acidq.admin;

import java.time.Duration;

/**
 * What is done to listeners of one engine, in this process alone; other nodes go on. {@link QueueControl#pause} holds up a queue on all
 * nodes instead, and is recorded. What was asked for here is kept as long as the engine object lives, over its stop and start, and is gone
 * with the process. Thread-safe; takes part in no transaction.
 */
public interface ListenerControl {

    /** Whether they run, all of them: from their start until their last handler has finished after a stop. */
    boolean isRunning();

    /** Whether they are paused here, all of them. A pause by {@link QueueControl} is not meant. */
    boolean isPaused();

    /**
     * Lets nothing start any more: what is claimed and has not started is given back with its attempt, handlers that run finish. Their
     * threads stay. Returns at once, and does nothing when they are paused.
     */
    void pause();

    /** Ends the pause. Returns at once, and does nothing when they are not paused. */
    void resume();

    /**
     * Lets them run from now on: at once when the engine runs, else when it starts. A stopped engine starts nothing. Does nothing when they
     * run.
     */
    void start();

    /**
     * Stops them in good order: no new claims, what has not started is given back, running handlers finish within the engine's stop timeout,
     * one time for all of them; those that have not are interrupted and their messages given back. Waits for that; a handler that stops its own
     * listener has to do it on another thread. They stay stopped until {@link #start}, also when the engine is stopped and started.
     *
     * @return whether every handler finished by itself
     */
    boolean stop();

    /**
     * The same with a time of its own.
     *
     * @param patience how long handlers may take to finish
     * @return whether every handler finished by itself
     */
    boolean stop(Duration patience);
}

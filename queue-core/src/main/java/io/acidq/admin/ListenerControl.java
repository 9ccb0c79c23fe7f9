package io.acidq.admin;

import java.time.Duration;

/**
 * Pauses, resumes, starts and stops listeners of one engine. The methods affect this process only; {@link QueueControl#pause} pauses a queue on all
 * nodes and is recorded. The state set here is kept while the engine object exists, also over a stop and start of the engine; it is lost with the
 * process. Thread-safe; uses no transaction.
 */
public interface ListenerControl {

    /** Whether all of the listeners run: from their start until their last handler has finished after a stop. */
    boolean isRunning();

    /** Whether all of the listeners are paused by {@link #pause}. A pause by {@link QueueControl} does not count. */
    boolean isPaused();

    /**
     * Pauses the listeners: no message is claimed or started any more. Messages that are claimed and not started are requeued without counting an attempt;
     * running handlers finish. The worker threads are kept. Returns at once; does nothing when the listeners are paused.
     */
    void pause();

    /** Ends the pause. Returns at once; does nothing when the listeners are not paused. */
    void resume();

    /**
     * Starts the listeners: at once when the engine runs, otherwise with the engine. Does nothing when they run.
     */
    void start();

    /**
     * Stops the listeners within the stop timeout of the engine, and waits for that. No message is claimed any more; messages that are claimed and not
     * started are requeued; running handlers may finish. Handlers that still run at the end of the timeout, which is the same for all listeners, are
     * interrupted and their messages requeued. The listeners stay stopped until {@link #start}, also over a stop and start of the engine.
     *
     * <p>A handler must not call this for its own listener on its own thread.
     *
     * @return whether all handlers finished without an interrupt
     */
    boolean stop();

    /**
     * Stops the listener as {@link #stop()} does, with another timeout.
     *
     * @param timeout  how long handlers may take to finish
     * @return whether all handlers finished without an interrupt
     */
    boolean stop(Duration timeout);
}

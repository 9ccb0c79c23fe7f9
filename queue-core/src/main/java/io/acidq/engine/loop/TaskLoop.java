package io.acidq.engine.loop;

import java.time.Duration;

/**
 * A thread that runs a periodic task until it is stopped. After a failed run it waits, longer with each failure in a
 * row, and runs the task again.
 */
public final class TaskLoop {

    private final PeriodicTask task;
    private final FailureTracker failures;
    private final WakeUps.Signal signal;
    private final Thread thread;
    private volatile boolean stopped;

    /** Creates a loop that only {@link #wake} wakes. */
    public TaskLoop(PeriodicTask task, DatabaseMonitor database) {
        this(task, new WakeUps.Signal(), database);
    }

    /** Creates a loop that the signal wakes too. */
    public TaskLoop(PeriodicTask task, WakeUps.Signal signal, DatabaseMonitor database) {
        this.task = task;
        this.failures = database.trackFailures(task.name());
        this.signal = signal;
        this.thread = new Thread(this::loop, "acidq-" + task.name());
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Ends the present wait, so that the task runs now. */
    public void wake() {
        signal.wake();
    }

    /** Ends the loop after the present run. Does not wait for that. */
    public void requestStop() {
        stopped = true;
        signal.wake();
    }

    /** Ends the loop after the present run and waits for its end, at most this long. */
    public void stop(Duration timeout) throws InterruptedException {
        requestStop();
        if (thread.isAlive()) {
            thread.join(Math.max(1, timeout.toMillis()));
        }
    }

    /**
     * Runs the task until {@link #requestStop}. An {@link Error} does not end the loop, since an engine without the
     * task would look alive. Nor does an interrupt: a stop interrupts nothing, so it comes from a driver or from code
     * of the application.
     */
    private void loop() {
        while (!stopped) {
            try {
                Duration wait = task.runOnce();
                failures.recordSuccess();
                signal.await(wait);
            } catch (Throwable e) {
                Thread.interrupted(); // the wait would throw again at once
                waitAfterFailure(failures.recordFailure(e));
            }
        }
    }

    private void waitAfterFailure(Duration wait) {
        try {
            signal.await(wait);
        } catch (InterruptedException e) {
            // the failure is reported already: the next run starts earlier
        }
    }
}

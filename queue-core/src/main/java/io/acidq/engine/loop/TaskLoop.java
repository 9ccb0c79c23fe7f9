package io.acidq.engine.loop;

import java.time.Duration;

/** A thread that runs a periodic task until it is stopped. A task that fails is tried again with growing waits. */
public final class TaskLoop {

    private final PeriodicTask task;
    private final FailureTracker failures;
    private final WakeUps.Signal signal;
    private final Thread thread;
    private volatile boolean stopped;

    /** A loop that only {@link #wake} wakes. */
    public TaskLoop(PeriodicTask task, DatabaseMonitor database) {
        this(task, new WakeUps.Signal(), database);
    }

    /** A loop that its signal wakes too. */
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

    /** Runs the task soon instead of at its next time. */
    public void wake() {
        signal.wake();
    }

    /** Ends the loop after the present run. */
    public void requestStop() {
        stopped = true;
        signal.wake();
    }

    /** Ends the loop after the present run and waits for that, at most this long. */
    public void stop(Duration patience) throws InterruptedException {
        requestStop();
        if (thread.isAlive()) {
            thread.join(Math.max(1, patience.toMillis()));
        }
    }

    private void loop() {
        while (!stopped) {
            try {
                signal.await(runGuarded());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Duration runGuarded() throws InterruptedException {
        try {
            Duration wait = task.runOnce();
            failures.succeeded();
            return wait;
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) { // an Error does not end the loop either: the engine would look alive and do nothing
            return failures.failed(e);
        }
    }
}

package io.acidq.engine.duty;

import java.time.Duration;

/** Runs a duty on a thread of its own until stopped. A duty that fails is tried again with growing waits. */
public final class DutyLoop {

    private final Duty duty;
    private final Trouble trouble;
    private final Hints hints;
    private final Thread thread;
    private volatile boolean stopped;

    public DutyLoop(Duty duty, Hints hints, DatabaseWatch watch) {
        this.duty = duty;
        this.trouble = watch.trouble(duty.name());
        this.hints = hints;
        this.thread = new Thread(this::loop, "acidq-" + duty.name());
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Runs the duty soon instead of at its next time. */
    public void wake() {
        hints.look();
    }

    /** Ends the loop after the present run. */
    public void end() {
        stopped = true;
        hints.look();
    }

    /** Ends the loop after the present run and waits for it, at most this long. */
    public void stop(Duration patience) throws InterruptedException {
        end();
        if (thread.isAlive()) {
            thread.join(Math.max(1, patience.toMillis()));
        }
    }

    private void loop() {
        while (!stopped) {
            try {
                hints.await(runGuarded());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Duration runGuarded() throws InterruptedException {
        try {
            Duration wait = duty.runOnce();
            trouble.worked();
            return wait;
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) { // an Error in a duty must not end it either: the engine would look alive and do nothing
            return trouble.failed(e);
        }
    }
}

package io.acidq.engine.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of a stop, side by side and for a limited time: neither what fails nor what waits for a database that is away holds up the stop. Other
 * nodes free whatever is left. Confined to the stopping thread.
 */
public final class Steps {

    private static final Logger log = LoggerFactory.getLogger(Steps.class);

    private final List<Running> running = new ArrayList<>();

    public void begin(String what, Step step) {
        Running begun = new Running(what, step);
        begun.thread.start();
        running.add(begun);
    }

    /** Whether all of them have ended within the time, and none has failed. */
    public boolean await(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean good = true;
        for (Running each : running) {
            each.thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            if (each.thread.isAlive()) {
                log.warn("{} takes too long while stopping; other nodes will free the claims", each.what);
            }
            good &= each.done;
        }
        running.clear();
        return good;
    }

    /** A step of the stop. */
    public interface Step {
        void run() throws InterruptedException;
    }

    /** A step on its way. */
    private static final class Running {

        private final String what;
        private final Thread thread;
        private volatile boolean done;

        Running(String what, Step step) {
            this.what = what;
            this.thread = new Thread(() -> run(step), "acidq-stop");
            thread.setDaemon(true);
        }

        private void run(Step step) {
            try {
                step.run();
                done = true;
            } catch (RuntimeException e) {
                log.warn("{} failed while stopping; other nodes will free the claims", what, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package io.acidq.engine.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a stop that run in parallel for a limited time. Neither a step that fails nor one that waits for an
 * unreachable database delays the stop: other nodes free the claims that are left. Confined to the stopping thread.
 */
public final class StopSteps {

    private static final Logger log = LoggerFactory.getLogger(StopSteps.class);

    private final List<RunningStep> running = new ArrayList<>();

    /** Starts a step on a thread of its own. */
    public void begin(String name, Step step) {
        FutureTask<?> task = new FutureTask<>(() -> {
            step.run();
            return null;
        });
        Thread thread = new Thread(task, "acidq-stop");
        thread.setDaemon(true);
        thread.start();
        running.add(new RunningStep(name, task, thread));
    }

    /** Waits for the steps that were begun. Returns whether all of them ended within the time without a failure. */
    public boolean await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean succeeded = true;
        for (RunningStep step : running) {
            try {
                step.task().get(Math.max(1_000_000, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                step.thread().join(); // the task is done, and its thread ends at once
            } catch (TimeoutException e) {
                log.warn("{} takes too long while stopping; other nodes will free the claims", step.name());
                succeeded = false;
            } catch (ExecutionException e) {
                log.warn("{} failed while stopping; other nodes will free the claims", step.name(), e.getCause());
                succeeded = false;
            }
        }
        running.clear();
        return succeeded;
    }

    /** One step of a stop. */
    public interface Step {
        void run() throws InterruptedException;
    }

    private record RunningStep(String name, FutureTask<?> task, Thread thread) {}
}

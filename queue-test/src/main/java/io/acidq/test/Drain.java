package io.acidq.test;

import io.acidq.QueueMisuseException;
import io.acidq.engine.SteppedEngine;
import io.acidq.resilience.GuardState;
import io.acidq.store.NodeStore;
import io.acidq.telemetry.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs messages until none is due, each time as another process. One thread at a time. */
final class Drain {

    private static final int MOST_RUNS = 100_000;

    private final View view;
    private @Nullable Point nextDeath;
    private volatile @Nullable Thread running;

    Drain(View view) {
        this.view = view;
    }

    void dieAt(Point point) {
        nextDeath = point;
    }

    /** Whether this thread is at it: a handler of it calls. */
    boolean isRunning() {
        return Thread.currentThread().equals(running);
    }

    DrainResult run(Predicate<String> queues, boolean inside) {
        if (running != null) {
            throw new QueueMisuseException("a drain is under way on " + running
                    + ", which runs whatever is due: a handler does not drain, nor do two threads at once");
        }
        Findings findings = new Findings();
        Life life = new Life(nextDeath, findings);
        nextDeath = null;
        running = Thread.currentThread();
        try {
            SteppedEngine engine = new SteppedEngine(view.of(inside, life, findings));
            List<String> held = step(engine, queues, life);
            if (life.isDead()) {
                bury(view.store(inside).nodes(), engine.node());
            }
            return new DrainResult(findings.ended(), findings.failures(), held, life.death());
        } finally {
            running = null;
        }
    }

    private static List<String> step(SteppedEngine engine, Predicate<String> queues, Life life) {
        try {
            int runs = 0;
            while (engine.runOnce(queues) && !life.isDead()) {
                if (++runs == MOST_RUNS) {
                    throw new AssertionError(
                            MOST_RUNS + " runs, and still there is something due: does a handler enqueue itself anew?");
                }
            }
            List<String> held = held(engine, queues);
            engine.close();
            return held;
        } catch (SimulatedDeath death) {
            return List.of();
        } catch (RuntimeException | Error e) {
            sigh(engine, e);
            throw e;
        } catch (Exception e) {
            sigh(engine, e);
            throw new IllegalStateException("the drain failed, and not a handler of it", e);
        }
    }

    private static void sigh(SteppedEngine engine, Throwable failure) {
        try {
            engine.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void bury(NodeStore nodes, int dead) {
        nodes.nodes().stream().filter(b -> b.node() == dead).forEach(nodes::buryIfSilent);
    }

    private static List<String> held(SteppedEngine engine, Predicate<String> queues) {
        List<String> held = new ArrayList<>();
        for (QueueState queue : engine.queues()) {
            if (queues.test(queue.queue()) && queue.paused()) {
                held.add(queue.queue() + ": paused");
            }
            queue.guards().stream()
                    .filter(g -> queues.test(queue.queue()) && g.status() == GuardState.Status.STOPS)
                    .forEach(g -> held.add(queue.queue() + ": " + g));
        }
        return held;
    }
}

package io.acidq.engine.listener;

import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.PeriodicTask;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A thread of a simulated node: a task that is stepped when its time has come, or something wakes it. */
final class SimulatedActor {

    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

    private final SimulatedNode node;
    private final PeriodicTask task;
    private final FailureTracker failures;
    private final BooleanSupplier wakes;
    private long next;
    private boolean busy;

    SimulatedActor(SimulatedNode node, PeriodicTask task, DatabaseMonitor watch, BooleanSupplier wakes) {
        this.node = node;
        this.task = task;
        this.failures = watch.trackFailures(task.name());
        this.wakes = wakes;
        this.next = watch.nanoTime().getAsLong();
    }

    String name() {
        return task.name();
    }

    SimulatedNode node() {
        return node;
    }

    /** It stands in the middle of a step. */
    boolean isBusy() {
        return busy;
    }

    boolean mayStep(long now) {
        return next <= now || wakes.getAsBoolean();
    }

    long next() {
        return next;
    }

    void wake() {
        next = 0;
    }

    /** How long a task waits after a failure is a random of the engine's own, so it does not count here. */
    void step(Simulation simulation) {
        busy = true;
        Duration wait = AFTER_A_FAILURE;
        try {
            next = Long.MAX_VALUE;
            wait = task.runOnce();
            failures.succeeded();
        } catch (Simulation.Crash e) {
            wait = SimulatedNode.HEARTBEAT_INTERVAL;
        } catch (Exception e) {
            failures.failed(e);
        } finally {
            busy = false;
        }
        boolean random = wait.toNanos() != SimulatedNode.HEARTBEAT_INTERVAL.toNanos() && name().equals("heartbeat");
        long then = simulation.now() + (random ? AFTER_A_FAILURE : wait).toNanos();
        next = Math.min(next, then);
    }
}

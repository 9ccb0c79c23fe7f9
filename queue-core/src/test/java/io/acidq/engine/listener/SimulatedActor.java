package io.acidq.engine.listener;

import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.PeriodicTask;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A thread of a simulated node: a task that runs when it is due or when it is woken. */
final class SimulatedActor {

    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

    private final SimulatedNode node;
    private final PeriodicTask task;
    private final FailureTracker failures;
    private final BooleanSupplier wakes;
    private long next;
    private boolean busy;

    SimulatedActor(SimulatedNode node, PeriodicTask task, DatabaseMonitor databaseMonitor, BooleanSupplier wakes) {
        this.node = node;
        this.task = task;
        this.failures = databaseMonitor.trackFailures(task.name());
        this.wakes = wakes;
        this.next = databaseMonitor.nanoTime().getAsLong();
    }

    String name() {
        return task.name();
    }

    SimulatedNode node() {
        return node;
    }

    /** Returns whether a step of this actor is in progress. */
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

    /** Runs the task once. Replaces the wait after a failure, which the engine chooses with its own random. */
    void step(Simulation simulation) {
        busy = true;
        Duration wait = AFTER_A_FAILURE;
        try {
            next = Long.MAX_VALUE;
            wait = task.runOnce();
            failures.recordSuccess();
        } catch (Simulation.Crash e) {
            wait = SimulatedNode.HEARTBEAT_INTERVAL;
        } catch (Exception e) {
            failures.recordFailure(e);
        } finally {
            busy = false;
        }
        boolean random = wait.toNanos() != SimulatedNode.HEARTBEAT_INTERVAL.toNanos() && name().equals("heartbeat");
        long then = simulation.now() + (random ? AFTER_A_FAILURE : wait).toNanos();
        next = Math.min(next, then);
    }
}

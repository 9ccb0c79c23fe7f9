package io.acidq.engine.listener;

import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.PeriodicTask;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A thread of a simulated node: a duty that is stepped when its time has come, or something wakes it. */
final class SimulatedActor {

    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

    private final SimulatedNode node;
    private final PeriodicTask duty;
    private final FailureTracker trouble;
    private final BooleanSupplier wakes;
    private long next;
    private boolean busy;

    SimulatedActor(SimulatedNode node, PeriodicTask duty, DatabaseMonitor watch, BooleanSupplier wakes) {
        this.node = node;
        this.duty = duty;
        this.trouble = watch.trackFailures(duty.name());
        this.wakes = wakes;
        this.next = watch.nanoTime().getAsLong();
    }

    String name() {
        return duty.name();
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

    /** How long a duty waits after a failure is a random of the engine's own, so it does not count here. */
    void step(Simulation simulation) {
        busy = true;
        Duration wait = AFTER_A_FAILURE;
        try {
            next = Long.MAX_VALUE;
            wait = duty.runOnce();
            trouble.worked();
        } catch (Simulation.Crash e) {
            wait = SimulatedNode.BEAT;
        } catch (Exception e) {
            trouble.failed(e);
        } finally {
            busy = false;
        }
        boolean random = wait.toNanos() != SimulatedNode.BEAT.toNanos() && name().equals("heartbeat");
        long then = simulation.now() + (random ? AFTER_A_FAILURE : wait).toNanos();
        next = Math.min(next, then);
    }
}

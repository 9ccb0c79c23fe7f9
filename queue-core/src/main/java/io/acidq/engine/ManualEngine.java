package io.acidq.engine;

import io.acidq.engine.listener.EngineParts;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.QueueState;
import java.util.List;
import java.util.function.Predicate;

/**
 * One incarnation of an engine without threads, for tests: claims, runs and acknowledges as an {@link Engine} does, by the same steps, but only
 * when it is told to, on the calling thread. Registers as a node of its own. No handler is stopped at its time limit. Not thread-safe.
 */
public final class ManualEngine implements AutoCloseable {

    private final EngineMemory memory;
    private final EngineRuntime run;
    private final Predicate<String> paused;

    /**
     * Registers, and frees what the dead have left.
     *
     * @param parts  those of an {@link Engine#parts engine}, or what a test makes of them
     * @param paused whether the listener of a queue may start nothing, asked again at each step
     */
    public ManualEngine(EngineParts parts, Predicate<String> paused) {
        this.memory = EngineMemory.of(parts);
        this.paused = paused;
        this.run = new EngineRuntime(parts, memory);
        memory.watch().begin(DatabaseState.UP);
        run.startByHand();
    }

    /**
     * Moves what is due, claims, and runs one message, or as many as its listener takes in one transaction.
     *
     * @param queues of which
     * @return false when nothing of them may start now
     * @throws Exception what a running engine would tell as a failure of its own, never that of a handler
     */
    public boolean runOnce(Predicate<String> queues) throws Exception {
        memory.standings().forEach((queue, listenerState) -> listenerState.pause(paused.test(queue)));
        return run.stepByHand(queues);
    }

    /** Its number as a node. */
    public int node() {
        return run.node();
    }

    /** Its queues, with what holds up their starts. */
    public List<QueueState> queues() {
        return run.states();
    }

    /** Gives back what has not started, and signs off. Not called, it is as if the process had died: its claims wait for somebody to bury the node. */
    @Override
    public void close() {
        run.stopByHand();
    }
}

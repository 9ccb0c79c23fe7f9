package io.acidq.doctor;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import java.util.List;

/**
 * The number of connections that an engine needs: the formula of {@code docs/en/configuration.md}.
 *
 * @param workersOfListeners the maximum number of workers of each listener
 */
public record PoolRequirements(List<Integer> workersOfListeners) {

    /** With fewer, an engine with one worker does not start, or waits for connections until the pool times out (tested by SmallPoolIT). */
    private static final int MINIMUM = 5;

    /** The connection of the caller, and another one to create a queue. */
    private static final int MINIMUM_WITHOUT_LISTENERS = 2;

    private static final int HEARTBEAT = 1;

    /**
     * The connections of the engine besides those of workers and pollers. The heartbeat and the node monitor share one, the wait for commits has one, and
     * other reads have one. The last one is for the tasks that take turns: due-message mover, rescuer, reconciler, pause tracker, cleaner, backlog monitor,
     * node reporter, history writer, and the reads of the ticker. SmallPoolIT compares this with a running engine. The transaction in which the ticker
     * enqueues due ticks is not counted: it is rare and short, and a tick may wait for a connection.
     */
    private static final int OF_THE_ENGINE = 4;

    /**
     * Copies and checks the list.
     *
     * @throws QueueMisuseException when a listener has no worker
     */
    public PoolRequirements {
        workersOfListeners = List.copyOf(workersOfListeners);
        InputChecks.require(
                workersOfListeners.stream().allMatch(workers -> workers >= 1),
                "each listener needs at least one worker: " + workersOfListeners);
    }

    public int workers() {
        return workersOfListeners.stream().mapToInt(Integer::intValue).sum();
    }

    public int listeners() {
        return workersOfListeners.size();
    }

    /** The number of connections with which an engine with these listeners can start, run and stop, if each listener has one worker. */
    public int minimum() {
        return workersOfListeners.isEmpty() ? MINIMUM_WITHOUT_LISTENERS : MINIMUM;
    }

    /** The number of connections with which all workers of one listener can work at the same time, if nothing else does. */
    public static int minimumFor(int workers) {
        return workers + HEARTBEAT;
    }

    /** The number of connections that workers, pollers and the heartbeat use at the same time. */
    public int atOnce() {
        return workers() + listeners() + HEARTBEAT;
    }

    /** The number of connections with which no thread of the engine waits, in addition to those that the application itself needs. */
    public int withoutWaits() {
        return workersOfListeners.isEmpty() ? MINIMUM_WITHOUT_LISTENERS : workers() + listeners() + OF_THE_ENGINE;
    }

    /** Describes what {@link #withoutWaits} counts. */
    public String parts() {
        return workersOfListeners.isEmpty()
                ? "1 to create a queue and 1 for the tasks"
                : workers() + " for workers, " + listeners() + " for pollers, and " + OF_THE_ENGINE
                        + " for the heartbeat, the wait for commits, the tasks and other reads";
    }
}

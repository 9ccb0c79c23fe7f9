package io.acidq.doctor;

import io.acidq.QueueMisuseException;
import java.util.List;

/**
 * What an engine takes from its connection pool: the formula of {@code docs/en/configuration.md}.
 *
 * @param workersOfListeners the most workers of each listener, which has a poller besides
 */
public record PoolNeed(List<Integer> workersOfListeners) {

    /** With fewer, an engine with one worker does not start, or what it does waits until the pool gives up: measured by SmallPoolIT. */
    private static final int MINIMUM = 5;

    /** The connection of the caller, and one beside it for the queue that is new to the process. */
    private static final int MINIMUM_WITHOUT_LISTENERS = 2;

    private static final int HEARTBEAT = 1;

    /** Tasks at work. */
    private static final int TASKS = 7;

    /** Connections that are kept ready. */
    private static final int CACHED_CONNECTIONS = 4;

    /**
     * Copies what is given.
     *
     * @throws QueueMisuseException when a listener has no worker
     */
    public PoolNeed {
        workersOfListeners = List.copyOf(workersOfListeners);
        if (workersOfListeners.stream().anyMatch(workers -> workers < 1)) {
            throw new QueueMisuseException("each listener has a worker at least: " + workersOfListeners);
        }
    }

    public int workers() {
        return workersOfListeners.stream().mapToInt(Integer::intValue).sum();
    }

    public int listeners() {
        return workersOfListeners.size();
    }

    /** With fewer an engine with these listeners would not start, run and stop, had each of them a single worker. */
    public int minimum() {
        return workersOfListeners.isEmpty() ? MINIMUM_WITHOUT_LISTENERS : MINIMUM;
    }

    /** With fewer a listener with so many workers, each with a connection of its own, could never have all of them at work, though no other worked. */
    public static int minimumFor(int workers) {
        return workers + HEARTBEAT;
    }

    /** What workers, pollers and the heartbeat want at once. */
    public int atOnce() {
        return workers() + listeners() + HEARTBEAT;
    }

    /** With so many, and what the application needs by itself, nobody waits. */
    public int withoutWaits() {
        return atOnce() + TASKS + CACHED_CONNECTIONS;
    }
}

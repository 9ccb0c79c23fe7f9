package io.acidq.engine.enqueue;

import io.acidq.store.Claim;
import io.acidq.store.EnqueueStore.MessageRow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The idle workers of this process. An enqueue can reserve one and claim its message for it, which saves the separate claim. Thread-safe. */
public final class LocalWorkers {

    private final Map<Integer, Reserver> reservers = new ConcurrentHashMap<>();

    /** Registers the reserver of a queue. */
    public void register(int queue, Reserver reserver) {
        reservers.put(queue, reserver);
    }

    /** Removes the reserver of a queue. */
    public void unregister(int queue, Reserver reserver) {
        reservers.remove(queue, reserver);
    }

    /** Reserves a worker for one message; null when no worker of the queue is idle in this process. */
    @Nullable
    Reservation reserve(int queue) {
        Reserver reserver = reservers.get(queue);
        return reserver == null ? null : reserver.reserve();
    }

    /** Reserves workers of one queue. Thread-safe. */
    @FunctionalInterface
    public interface Reserver {

        /** Reserves a worker for one message; null when none is idle. */
        @Nullable
        Reservation reserve();
    }

    /** A reserved worker. It waits until {@link #handOver} or {@link #release} is called for the first time; later calls do nothing. */
    public interface Reservation {

        /** Returns the node that will own the message. */
        int node();

        /** The message is inserted and not yet committed. */
        void inserted(Claim claim, MessageRow row);

        /** The message is committed: the worker runs it. */
        void handOver();

        /** There is no message, or it is unknown whether there is one: the worker becomes idle again. */
        void release();
    }
}

package io.acidq.engine.enqueue;

import io.acidq.store.Claim;
import io.acidq.store.MessageRow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The workers of this process that have nothing to do: an enqueue claims its message for one of them, which saves the claim. Thread-safe. */
public final class LocalWorkers {

    private final Map<Integer, Reserver> reservers = new ConcurrentHashMap<>();

    /** From now on workers of this queue may be had here. */
    public void register(int queue, Reserver reserver) {
        reservers.put(queue, reserver);
    }

    /** No more. */
    public void unregister(int queue, Reserver reserver) {
        reservers.remove(queue, reserver);
    }

    /** A place for one message; null when no worker of the queue is free here. */
    @Nullable
    Reservation reserve(int queue) {
        Reserver reserver = reservers.get(queue);
        return reserver == null ? null : reserver.reserve();
    }

    /** Where workers of one queue may be had. Thread-safe. */
    @FunctionalInterface
    public interface Reserver {

        /** A place for one message; null when no worker is free. */
        @Nullable
        Reservation reserve();
    }

    /** A worker that waits for one message. One of {@link #handOver} and {@link #release} ends it; what comes after the first does nothing. */
    public interface Reservation {

        /** The node that is to own the message. */
        int node();

        /** The message is inserted, and will be visible before it is handed over. */
        void inserted(Claim claim, MessageRow row);

        /** The message is committed. */
        void handOver();

        /** There is no message, or it is unknown whether there is one. */
        void release();
    }
}

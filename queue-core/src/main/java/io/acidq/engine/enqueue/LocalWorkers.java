package io.acidq.engine.enqueue;

import io.acidq.store.Claim;
import io.acidq.store.MessageRow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The workers of this process that have nothing to do: an enqueue claims its message for one of them, which saves the claim. Thread-safe. */
public final class LocalWorkers {

    private final Map<Integer, Desk> desks = new ConcurrentHashMap<>();

    /** From now on workers of this queue may be had here. */
    public void open(int queue, Desk desk) {
        desks.put(queue, desk);
    }

    /** No more. */
    public void close(int queue, Desk desk) {
        desks.remove(queue, desk);
    }

    /** A place for one message; null when no worker of the queue is free here. */
    @Nullable
    Place reserve(int queue) {
        Desk desk = desks.get(queue);
        return desk == null ? null : desk.reserve();
    }

    /** Where workers of one queue may be had. Thread-safe. */
    @FunctionalInterface
    public interface Desk {

        /** A place for one message; null when no worker is free. */
        @Nullable
        Place reserve();
    }

    /** A worker that waits for one message. One of {@link #handOver} and {@link #free} ends it; what comes after the first does nothing. */
    public interface Place {

        /** The node that is to own the message. */
        int node();

        /** The message is inserted, and will be visible before it is handed over. */
        void inserted(Claim claim, MessageRow row);

        /** The message is committed. */
        void handOver();

        /** There is no message, or it is unknown whether there is one. */
        void free();
    }
}

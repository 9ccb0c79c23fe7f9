package io.acidq.engine.enqueue;

import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/**
 * Assigns each message to a lane: by its ordering key, or else round robin. Round robin stays on one lane for several messages, so that one claim finds
 * them all, and each process starts at a random lane. Thread-safe.
 */
public final class LaneAssignment {

    private static final int MESSAGES_PER_TURN = 16;

    /**
     * Messages of one bulk without an ordering key that share a lane. The server inserts and deletes neighbouring rows a third faster than scattered
     * ones (measured), and one claim takes about as many.
     */
    private static final int BULK_MESSAGES_PER_LANE = 50;

    private final Map<Integer, AtomicInteger> assigned = new ConcurrentHashMap<>();

    /** The lane of an ordering key. All versions of AcidQ must agree on it: another hash would put one key into two lanes. */
    public static int ofKey(QueueRow queue, String orderingKey) {
        CRC32 hash = new CRC32();
        hash.update(orderingKey.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % queue.lanes());
    }

    /** A random one of the direct lanes. */
    static int directLane(QueueRow queue) {
        return queue.lanes() + ThreadLocalRandom.current().nextInt(QueueStore.DIRECT_LANES);
    }

    /**
     * The lane of one message of a bulk, which has no ordering key.
     *
     * @param first what {@link #nextLane} returned for the bulk
     * @param index its index in the bulk, from 0
     */
    static int bulkLane(QueueRow queue, int first, int index) {
        return (first + index / BULK_MESSAGES_PER_LANE) % queue.lanes();
    }

    /**
     * The next lane for messages without an ordering key.
     *
     * @param messages how many are enqueued together
     */
    int nextLane(QueueRow queue, int messages) {
        int lanes = (messages + BULK_MESSAGES_PER_LANE - 1) / BULK_MESSAGES_PER_LANE;
        int position = assigned.computeIfAbsent(
                        queue.id(),
                        id -> new AtomicInteger(ThreadLocalRandom.current().nextInt()))
                .getAndAdd(Math.min(messages, MESSAGES_PER_TURN * lanes));
        return Math.floorMod(Math.floorDiv(position, MESSAGES_PER_TURN), queue.lanes());
    }
}

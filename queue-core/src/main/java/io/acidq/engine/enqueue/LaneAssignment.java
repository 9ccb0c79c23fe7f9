package io.acidq.engine.enqueue;

import io.acidq.Priority;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/**
 * Assigns each message to a lane: by its ordering key, or else round robin. Round robin uses one lane for several messages before it uses the next one, so
 * that one claim finds them all. Each process starts at a random lane. Thread-safe.
 */
public final class LaneAssignment {

    private static final int MESSAGES_PER_TURN = 16;

    /**
     * How many messages of a bulk share a lane if they have no ordering key. The server inserts and deletes neighbouring rows a third faster than scattered
     * ones (measured), and one claim takes about this many.
     */
    private static final int BULK_MESSAGES_PER_LANE = 50;

    private final Map<Integer, AtomicInteger> assigned = new ConcurrentHashMap<>();

    /** Returns the lane of an ordering key. All versions of AcidQ must use the same hash: with another one, a key would be in two lanes. */
    public static int ofKey(QueueRow queue, String orderingKey) {
        CRC32 hash = new CRC32();
        hash.update(orderingKey.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % queue.lanes());
    }

    /** Returns a random direct lane. */
    static int directLane(QueueRow queue) {
        return queue.lanes() + ThreadLocalRandom.current().nextInt(QueueStore.DIRECT_LANES);
    }

    /**
     * Returns the lane of a message with this priority.
     *
     * @param normal the lane that it would have as a NORMAL message
     */
    static int priorityLane(Priority priority, int normal) {
        return priority == Priority.NORMAL ? normal : priority.firstLane() + normal % Priority.LANES;
    }

    /**
     * Returns the lane of a message of a bulk that has no ordering key.
     *
     * @param first what {@link #nextLane} returned for the bulk
     * @param index the index of the message in the bulk, from 0
     */
    static int bulkLane(QueueRow queue, int first, int index) {
        return (first + index / BULK_MESSAGES_PER_LANE) % queue.lanes();
    }

    /**
     * Returns the next lane for messages without an ordering key.
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

package io.acidq.engine.enqueue;

import io.acidq.store.QueueStore.QueueRow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which lane takes what this process enqueues next without an ordering key: each lane in its turn, several messages one after the other, so that one
 * claim finds them all. Each process begins somewhere else. Thread-safe.
 */
final class LaneTurns {

    private static final int ONE_AFTER_THE_OTHER = 16;

    private final Map<Integer, AtomicInteger> enqueued = new ConcurrentHashMap<>();

    /**
     * The lane of the first of them.
     *
     * @param messages how many are enqueued together
     */
    int next(QueueRow queue, int messages) {
        int at = enqueued.computeIfAbsent(
                        queue.id(),
                        id -> new AtomicInteger(ThreadLocalRandom.current().nextInt()))
                .getAndAdd(Math.min(messages, ONE_AFTER_THE_OTHER * Lanes.ofBulk(messages)));
        return Math.floorMod(Math.floorDiv(at, ONE_AFTER_THE_OTHER), queue.lanes());
    }
}

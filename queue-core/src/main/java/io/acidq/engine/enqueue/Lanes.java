package io.acidq.engine.enqueue;

import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32;

/** Which lane a message lies in. All versions of AcidQ must agree: another hash would put one key into two lanes. */
public final class Lanes {

    /**
     * So many messages of a bulk that have no ordering key lie side by side: the server inserts and deletes them a third faster than scattered ones
     * (measured), and it is about what one claim takes.
     */
    private static final int SIDE_BY_SIDE = 50;

    private Lanes() {}

    /** Any of the direct lanes. */
    static int direct(QueueRow queue) {
        return queue.lanes() + ThreadLocalRandom.current().nextInt(QueueStore.DIRECT_LANES);
    }

    /**
     * The lane of a message without an ordering key.
     *
     * @param first the lane of the first one enqueued with it
     * @param at    its place among them, from 0
     */
    static int inBulk(QueueRow queue, int first, int at) {
        return (first + at / SIDE_BY_SIDE) % queue.lanes();
    }

    /** How many lanes so many messages enqueued together take. */
    static int ofBulk(int messages) {
        return (messages + SIDE_BY_SIDE - 1) / SIDE_BY_SIDE;
    }

    /** The lane of an ordering key. */
    public static int of(QueueRow queue, String orderingKey) {
        CRC32 hash = new CRC32();
        hash.update(orderingKey.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % queue.lanes());
    }
}

package io.acidq.engine;

import io.acidq.store.QueueStore.QueueRow;

/**
 * What the steps of one queue share.
 *
 * @param queue  the queue
 * @param buffer its claimed messages
 * @param pace   how many to claim
 * @param hints  what wakes its poller
 * @param guards what may hold up its starts
 */
record QueueParts(QueueRow queue, Buffer buffer, Pace pace, Hints hints, Guards guards) {

    /** How many more messages this node should claim now. */
    int room() {
        Stock stock = buffer.stock();
        return guards.room(pace.room(stock), stock.startable());
    }
}

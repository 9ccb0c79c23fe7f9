package io.acidq.engine.work;

import io.acidq.engine.duty.Hints;
import io.acidq.engine.enqueue.FreeWorkers;
import io.acidq.engine.guard.Guards;
import io.acidq.engine.guard.Holds;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.QueueStore.QueueRow;

/**
 * What the steps of one queue share.
 *
 * @param queue    the queue
 * @param buffer   its claimed messages
 * @param pace     how many to claim
 * @param hints    what wakes its poller
 * @param holds    what may hold up its starts
 * @param strategy how to claim
 * @param free     where its free workers may be had
 */
record QueueParts(
        QueueRow queue, Buffer buffer, Pace pace, Hints hints, Holds holds, ClaimStrategy strategy, FreeWorkers free) {

    Guards guards() {
        return holds.guards();
    }

    boolean isPaused() {
        return holds.isPaused();
    }

    /** How many more messages this node should claim now. */
    int room() {
        Stock stock = buffer.stock();
        return guards().room(pace.room(stock), stock.startable());
    }
}

package io.acidq.engine.listener;

import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.QueueStore.QueueRow;
import java.util.function.BooleanSupplier;

/**
 * What the steps of one queue share.
 *
 * @param queue    the queue
 * @param buffer   its claimed messages
 * @param pace     how many to claim
 * @param hints    what wakes its poller
 * @param guards   breaker, rate limit, bulkhead
 * @param paused   whether an operator has paused it
 * @param strategy how to claim
 * @param free     where its free workers may be had
 */
public record QueueParts(
        QueueRow queue,
        MessageBuffer buffer,
        PrefetchPolicy pace,
        WakeUps.PollerSignal hints,
        StartGuards guards,
        BooleanSupplier paused,
        ClaimStrategy strategy,
        LocalWorkers free) {

    boolean isPaused() {
        return paused.getAsBoolean();
    }

    /** How many more messages this node should claim now. */
    int room() {
        MessageBuffer.Counts counts = buffer.counts();
        return guards.room(pace.freeCapacity(counts), counts.startable());
    }
}

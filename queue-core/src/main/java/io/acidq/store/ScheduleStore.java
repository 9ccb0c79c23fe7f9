package io.acidq.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages that wait for their due time, apart from the hot table. */
public interface ScheduleStore {

    /**
     * Moves due messages to the tails of their lanes, by due time, in pieces and short transactions of its own; one mover at
     * a time for a queue, across all nodes.
     */
    Moved moveDue();

    /**
     * What a move did.
     *
     * @param lanes   the lanes that got messages
     * @param nextDue how long until the next message is due: zero when there is more to move now, null when none waits
     */
    record Moved(List<Lane> lanes, @Nullable Duration nextDue) {}
}

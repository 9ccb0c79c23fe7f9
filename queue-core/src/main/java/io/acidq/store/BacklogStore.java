package io.acidq.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How much there is of a queue. Plain reads that lock nothing, each a short transaction of its own that reads no more than it is told to. */
public interface BacklogStore {

    /** The messages of a queue by state, in one snapshot; of each table at most so many. */
    Counts count(int queue, int most);

    /** How many messages that are or were due nobody has claimed; at most so many are counted. */
    int countUnclaimed(int queue, int most);

    /**
     * How long ago the oldest message that nobody has claimed was first due or replayed: the oldest of the first ones of all lanes, and of
     * what should have been moved into one. Null when there is none.
     */
    @Nullable
    Duration oldestUnclaimed(int queue);

    /**
     * Messages by state.
     *
     * @param ready     due and not claimed
     * @param running   claimed
     * @param waiting   in place, not due yet
     * @param scheduled apart, not due yet
     * @param dead      dead letters
     */
    record Counts(int ready, int running, int waiting, int scheduled, int dead) {}
}

package io.acidq.store;

/**
 * How a claim takes messages. All of them mark the same rows in the same way, so that nodes with different strategies may serve one queue;
 * only {@link #LANES} takes messages with an ordering key.
 */
public enum ClaimStrategy {
    /** Locks one lane, reads its head in order, and marks what may run. The only one that keeps order; needs SKIP LOCKED to be quick. */
    LANES,
    /** Locks free rows by SELECT … FOR UPDATE, then marks them; waits for others who do the same. */
    FOR_UPDATE,
    /** Reads free rows without a lock and marks each by a compare-and-set of its own; a lost race costs the row, nothing else. */
    OPTIMISTIC,
    /** Marks free rows by one UPDATE … LIMIT, and reads what bears the mark. */
    BATCH_ID,
    /**
     * As {@link #BATCH_ID}, but the UPDATE collects the ids in a variable of the session. MySQL and MariaDB only; MySQL has declared
     * assignments to variables within statements deprecated.
     */
    USER_VARIABLE;

    /** Whether it takes messages with an ordering key. */
    public boolean keepsOrder() {
        return this == LANES;
    }
}

package io.acidq.store;

/**
 * How a listener claims messages. All strategies write the same columns, so nodes with different strategies may serve one queue. Only {@link #LANES}
 * claims messages with an ordering key.
 */
public enum ClaimStrategy {
    /** Locks one lane, reads its head in order, and marks the messages that may run. The only strategy that keeps order; needs SKIP LOCKED to be fast. */
    LANES,
    /** Locks free rows by SELECT … FOR UPDATE, then marks them; waits for other transactions that do the same. */
    FOR_UPDATE,
    /** Reads free rows without a lock and marks each by a compare-and-set of its own; a lost race only costs that row. */
    OPTIMISTIC,
    /** Marks free rows by one UPDATE … LIMIT, and reads the marked rows. */
    BATCH_ID,
    /**
     * Marks free rows as {@link #BATCH_ID} does, but the UPDATE collects the ids in a variable of the session. MySQL and MariaDB only; MySQL has
     * declared assignments to variables within statements deprecated.
     */
    USER_VARIABLE;

    /** Whether the strategy claims messages with an ordering key. */
    public boolean keepsOrder() {
        return this == LANES;
    }
}

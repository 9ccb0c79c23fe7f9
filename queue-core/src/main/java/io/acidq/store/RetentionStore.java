package io.acidq.store;

/**
 * Removal of rows that have outlived their time. Each method is one short transaction of its own, for any number of nodes at once: rows
 * that somebody has locked are left for another time.
 */
public interface RetentionStore {

    /** Removes keys of the inbox whose window has ended, the oldest first. */
    Pruned pruneInbox(int limit);

    /**
     * Looks at message keys whose window has ended, and removes those whose message is gone: it is neither in the hot table, nor scheduled,
     * nor a dead letter. Goes on where the last call ended, so that keys of messages that live long keep none from being looked at.
     */
    Pruned pruneKeys(int limit);

    /**
     * What one step did.
     *
     * @param rows how many rows it removed
     * @param more whether there may be more to remove now
     */
    record Pruned(int rows, boolean more) {}
}

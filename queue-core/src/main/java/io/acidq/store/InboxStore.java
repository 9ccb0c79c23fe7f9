package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the inbox does, all of it in the transaction on the calling thread, which stays the caller's to end. */
public interface InboxStore {

    /**
     * Runs a part of the transaction that leaves all of its effects in it or none: when the part throws, what it had done in this
     * database is undone, and what it threw is passed on unchanged. Parts may be nested. Locks are kept in either case.
     *
     * @throws io.acidq.TransientQueueException when the transaction that the part ends in is not the one that it began in, so that what
     *     came first is lost
     */
    <T extends @Nullable Object, X extends Exception> T allOrNothing(Part<T, X> part) throws X;

    /**
     * Takes keys for the caller: those that are free, or whose window has ended. Waits for the end of each open transaction that
     * has taken one of them. Takes them in one order whatever the order given, so that two callers with the same keys do not deadlock.
     * Opens no snapshot for the caller: what the taker of a key has committed is visible to a caller that had not read before.
     *
     * @param keys   different from each other, 1 to 255 bytes of UTF-8 each
     * @param window how long they stay taken, from now
     * @return of the keys that were taken already, when that was; the others are now the caller's
     */
    Map<String, Instant> takeIfFree(String consumer, Collection<String> keys, Duration window);

    /** A part of a transaction. */
    @FunctionalInterface
    interface Part<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }
}

package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of the inbox. All methods run in the transaction on the calling thread and do not end it. */
public interface InboxStore {

    /**
     * Runs work behind a savepoint. When the work throws, its changes in this database are undone and the exception is passed on unchanged. Calls may be
     * nested. Locks are kept in either case.
     *
     * @throws io.acidq.TransientQueueException when the transaction that the part ends in is not the one that it began in, so that what
     *     came first is lost
     */
    <T extends @Nullable Object, X extends Exception> T allOrNothing(AtomicWork<T, X> atomicWork) throws X;

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

    /** Work whose changes are kept or undone as a whole. */
    @FunctionalInterface
    interface AtomicWork<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }
}

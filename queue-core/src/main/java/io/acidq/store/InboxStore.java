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
     * @throws io.acidq.TransientQueueException when the work ended in another transaction than it began in, so that earlier changes are
     *     lost
     */
    <T extends @Nullable Object, X extends Exception> T allOrNothing(AtomicWork<T, X> atomicWork) throws X;

    /**
     * Takes keys that are free or whose retention is over. Waits for the end of each open transaction that has taken one of them. Takes the keys in a
     * fixed order, so that two callers with the same keys do not deadlock. Does not open a snapshot: a caller that has not read before sees what an
     * earlier taker has committed.
     *
     * @param keys   different from each other, 1 to 255 bytes of UTF-8 each
     * @param retention how long they stay taken, from now
     * @return the keys that were already taken, with the time when they were taken; the other keys are now taken by the caller
     */
    Map<String, Instant> takeIfFree(String consumer, Collection<String> keys, Duration retention);

    /** Work whose changes are kept or undone as a whole. */
    @FunctionalInterface
    interface AtomicWork<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }
}

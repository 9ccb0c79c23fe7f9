package io.acidq;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does work once for each message, wherever the message comes from: a repeated HTTP request, a webhook, a broker that delivers again.
 * A message is known by the name of its consumer and a key. The key is remembered by a row that is inserted in the caller's transaction,
 * so it is remembered if and only if the effects of the work are. Thread-safe.
 *
 * <p>Every method needs a read-write transaction of this database on the calling thread, throws {@link QueueMisuseException} without
 * one, and neither commits it nor changes it. What the work does elsewhere (HTTP, another database, {@code REQUIRES_NEW}) is not covered.
 *
 * <p>When the work throws, the exception passes through, and all that the work had done in this transaction is undone together with the
 * row, by a savepoint: a caller that swallows the exception and commits leaves neither, and a repetition runs the work again. (What an ORM
 * has not flushed yet is not in the transaction, and no savepoint undoes it.)
 *
 * <p>While another transaction that has taken the key is open, a call waits for its end: then it is a duplicate, or runs the work if
 * that one was rolled back. Of several that wait for one that is rolled back, all but one may be the victim of a deadlock
 * ({@link TransientQueueException}: run the whole transaction again).
 *
 * <p>Consumers are named like queues: 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit. A key has 1 to 255 bytes
 * of UTF-8 and is compared byte by byte; a bad one is refused with {@link MessageRejectedException} before any SQL.
 */
public interface Inbox {

    /**
     * Runs the work unless it has been done for this key within the window.
     *
     * @return what the work returned, or when it was first done
     * @throws TransientQueueException when the database could not do it now, or ended the transaction behind the work's back: roll back and
     *     run the transaction again
     */
    <T extends @Nullable Object, X extends Exception> InboxResult<T> once(String consumer, String key, Task<T, X> work)
            throws X;

    /** The same for work without a result. */
    default <X extends Exception> InboxResult<Void> once(String consumer, String key, Work<X> work) throws X {
        InboxResult<Boolean> done = this.<Boolean, X>once(consumer, key, () -> {
            work.run();
            return true;
        });
        return new InboxResult<>(null, done.firstDoneAt());
    }

    /**
     * Runs the work for those of many messages that have not been done within the window, with few statements: two for each 500. The
     * work is one: when it throws, none of the messages counts as done.
     *
     * @param key  the key of a message; of several messages with one key the first counts, the others are duplicates
     * @param work gets the new messages in the order given; not called when there are none
     * @return the new messages in the order given
     */
    <M, X extends Exception> List<M> onceAll(
            String consumer, Collection<M> messages, Function<? super M, String> key, BulkWork<? super M, X> work)
            throws X;

    /**
     * The same inbox with another window, for the keys that are taken through it.
     *
     * @param window how long a repetition is recognized, counted by the database's clock from the call that ran the work. Longer than the
     *               sender may repeat itself, and than any transaction lasts. 1 s to 36500 days
     */
    Inbox withWindow(Duration window);

    /** Work with a result. */
    @FunctionalInterface
    interface Task<T extends @Nullable Object, X extends Exception> {
        T call() throws X;
    }

    /** Work without a result. */
    @FunctionalInterface
    interface Work<X extends Exception> {
        void run() throws X;
    }

    /** Work on many messages. */
    @FunctionalInterface
    interface BulkWork<M, X extends Exception> {
        void run(List<? extends M> fresh) throws X;
    }
}

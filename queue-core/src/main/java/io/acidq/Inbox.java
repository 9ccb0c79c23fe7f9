package io.acidq;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does work at most once for each message that arrives from outside: a repeated HTTP request, a webhook, a message of a broker that delivers
 * again. A message is identified by the name of its consumer and a key. The key is stored by a row that is inserted in the caller's transaction,
 * so the key is remembered if and only if the effects of the work commit. Thread-safe.
 *
 * <pre>{@code
 * InboxResult<Receipt> result = inbox.once("payments", event.id(), () -> book(event));
 * if (result.isDuplicate()) { // the payment was booked by an earlier call
 *     return alreadyBooked();
 * }
 * }</pre>
 *
 * <p><b>Transactions.</b> Each method needs a read-write transaction of this database on the calling thread and throws
 * {@link QueueMisuseException} without one. No method commits or rolls back that transaction. The guarantee covers the work's effects in that
 * transaction only, not effects elsewhere (HTTP, another database, {@code REQUIRES_NEW}).
 *
 * <p><b>Failures.</b> When the work throws, the exception is passed on, and a savepoint undoes the work's changes in this transaction together with
 * the key. If the caller catches the exception and commits, neither is stored, and a repetition runs the work again. Changes that an ORM has not
 * flushed are not yet in the transaction: a savepoint does not undo them.
 *
 * <p><b>Concurrency.</b> While another open transaction has taken the key, a call waits for its end. It is a duplicate if that transaction commits,
 * and runs the work if that transaction rolls back. If several calls wait for a transaction that rolls back, all but one of them may become victims of a
 * deadlock ({@link TransientQueueException}): run the whole transaction again.
 *
 * <p><b>Limits.</b> The name of a consumer has 1 to 100 letters, digits, '.', '_' or '-' and begins with a letter or digit; any other name is refused
 * with {@link QueueMisuseException}. A key has 1 to 255 bytes of UTF-8 and is compared byte by byte; any other key, and null, is refused with
 * {@link MessageRejectedException}. Both are checked before any SQL.
 *
 * <p><b>Retention.</b> A repetition is recognized for 7 days after the call that ran the work, unless the engine's configuration
 * ({@code inboxRetention}, {@code acidq.inbox-retention}) or {@link #withRetention} says otherwise. After that the work runs again.
 */
public interface Inbox {

    /**
     * Runs the work unless it has been done for this key within the retention.
     *
     * @param consumer the name of the consumer
     * @param key      identifies the message
     * @param work     runs on the calling thread, in the caller's transaction
     * @return the result of the work, or the time when it was first done
     * @throws X                       when the work throws it
     * @throws TransientQueueException when the database could not do it now, or ended the transaction while the work ran: roll back and run the
     *     whole transaction again
     */
    <T extends @Nullable Object, X extends Exception> InboxResult<T> once(
            String consumer, String key, WorkWithResult<T, X> work) throws X;

    /** Runs work without a result once: see {@link #once(String, String, WorkWithResult)}. */
    default <X extends Exception> InboxResult<Void> once(String consumer, String key, Work<X> work) throws X {
        InboxResult<Boolean> done = this.<Boolean, X>once(consumer, key, () -> {
            work.run();
            return true;
        });
        return new InboxResult<>(null, done.firstDoneAt());
    }

    /**
     * Runs the work for those messages that have not been done within the retention. Needs two statements for each 500 messages. The work is done as
     * a whole: when it throws, none of the messages counts as done.
     *
     * @param consumer the name of the consumer
     * @param messages the messages that arrived
     * @param key      returns the key of a message; of several messages with equal keys the first counts, the others are duplicates
     * @param work     gets the new messages in the order given; is not called when there are none
     * @return the new messages in the order given
     * @throws X                       when the work throws it
     * @throws TransientQueueException as {@link #once(String, String, WorkWithResult)}
     */
    <M, X extends Exception> List<M> onceAll(
            String consumer, Collection<M> messages, Function<? super M, String> key, BulkWork<? super M, X> work)
            throws X;

    /**
     * Returns an inbox with another retention, for the keys that are taken through it. This inbox keeps its own.
     *
     * @param retention how long a repetition is recognized, by the database's clock, counted from the call that ran the work. Choose it longer than
     *               the sender may repeat a message, and longer than any transaction lasts. 1 s to 36500 days
     * @throws QueueMisuseException when the retention is null or outside these bounds
     */
    Inbox withRetention(Duration retention);

    /** Work with a result, which may be null. */
    @FunctionalInterface
    interface WorkWithResult<T extends @Nullable Object, X extends Exception> {
        T call() throws X;
    }

    /** Work without a result. */
    @FunctionalInterface
    interface Work<X extends Exception> {
        void run() throws X;
    }

    /** Work on several messages. */
    @FunctionalInterface
    interface BulkWork<M, X extends Exception> {
        void run(List<? extends M> fresh) throws X;
    }
}

package io.acidq;

import java.time.Duration;
import java.util.Optional;

/**
 * Answers whether an enqueue was committed, and how a message has ended. It knows the messages that were enqueued with {@link EnqueueOptions#receipt} or
 * {@link EnqueueOptions#result}. Thread-safe; needs no listener. Each read is a short transaction of its own on a separate connection.
 *
 * <pre>{@code
 * Enqueued quote = transactions.execute(status -> queue.enqueue("quotes", request, options().result(Duration.ofHours(1))));
 * Optional<Quote> answer = receipts.await(quote.id(), Duration.ofSeconds(5)).flatMap(receipt -> receipt.result(Quote.class));
 * }</pre>
 *
 * <p>Each method throws {@link TransientQueueException} when the database could not answer now.
 */
public interface Receipts {

    /**
     * Answers whether the transaction that enqueued this message was committed. Call it when the connection was lost during the COMMIT. While the server has
     * not decided, it waits, for about a minute at most, and then throws {@link TransientQueueException}: ask again.
     *
     * <p>The answer holds for the database that answers. A failover to a replica that lost the commit changes it.
     *
     * @param id the id that the enqueue returned, with the result {@link Enqueued.Result#ENQUEUED} or {@link Enqueued.Result#SUCCESSOR}
     * @throws QueueMisuseException when this thread is in a transaction: it could wait for its own
     */
    Committed committed(MessageId id);

    /** Returns the receipt of a message; empty when it has none, its enqueue is not committed, or the receipt was removed. */
    Optional<Receipt> find(MessageId id);

    /**
     * Returns the receipt of the message that holds a message key. If that message has no receipt, the state is {@link Receipt.State#PENDING} or
     * {@link Receipt.State#DEAD} while the message exists, {@link Receipt.State#DONE} while it is in the archive, and {@link Receipt.State#GONE} after that. Empty when
     * no message holds the key. A key stays taken until its deduplication window ends, so a message that has ended can still be found by its key.
     *
     * @throws QueueMisuseException when the queue does not exist, or the key is invalid
     */
    Optional<Receipt> findByKey(String queue, String key);

    /**
     * Waits until a message has ended. Reads the receipt every 2 to 50 ms, and at once when a worker of this engine ends the message.
     *
     * <p>Each read takes a connection of the pool. The timeout cannot shorten the wait for one: with a full pool this method throws
     * {@link TransientQueueException} only when the pool's own timeout is over, which may be later. Give the pool a short timeout where that matters.
     *
     * @param timeout how long to wait; zero to read once
     * @return the receipt, which is pending when the time is over; empty when there is none then, see {@link #find}
     * @throws QueueMisuseException when the message was enqueued without a receipt, or when this thread is in a transaction: a message that it
     *     enqueued would not run before its commit
     * @throws InterruptedException when the thread is interrupted, also while it waits for a connection or for the answer of the database
     */
    Optional<Receipt> await(MessageId id, Duration timeout) throws InterruptedException;

    /** The answers of {@link #committed}. */
    enum Committed {
        /** The transaction was committed. */
        YES,
        /** The transaction was not committed, and cannot be any more. */
        NO,
        /**
         * It cannot be told: the message was enqueued without a receipt, or receipts of messages as old as this one have been removed, because their
         * retention is over.
         */
        NOT_TRACKED
    }
}

package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.StoredMessage.MessageState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists queues and messages of a database, and cancels messages, for operators. Thread-safe; needs no listener. Each call but those named {@code cancel} is a short
 * read transaction of its own that locks nothing. Each throws {@link TransientQueueException} when the database could not do it now. The limits bound the rows that a call reads; a search for one
 * message reads one lane of its queue at most.
 */
public interface Messages {

    /** The limit of the rows that {@link #list} reads in the lanes of a queue. */
    int MOST_LOOKED_AT = 10_000;

    /**
     * Lists the queues by name.
     *
     * @param limit the maximum number of queues, 1 to 10,000
     */
    List<QueueInfo> queues(int limit);

    /**
     * Lists messages of a queue: first those in its lanes, by lane and place; then the scheduled ones, soonest due first; then dead letters, oldest
     * first. For READY and WAITING only the first {@link #MOST_LOOKED_AT} messages of the lanes are read.
     *
     * @param state the state of the messages; null for all
     * @param limit the maximum number of messages, 1 to 10,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    List<StoredMessage> list(String queue, @Nullable MessageState state, int limit);

    /**
     * Returns a message; empty when it has ended (done, cancelled, expired or discarded), or its enqueue did not commit.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    Optional<StoredMessage> find(MessageId id);

    /**
     * Returns the message that holds a message key; empty when none of the messages that still exist holds it.
     *
     * @throws QueueMisuseException when the queue does not exist, or the key is invalid
     */
    Optional<StoredMessage> findByKey(String queue, String key);

    /**
     * Returns the payload and the headers of a message.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    Optional<MessageContent> content(MessageId id);

    /**
     * Cancels a message. A message that is not claimed is removed at once and does not run; its message key stays taken until its window ends. A message that a
     * node has claimed is asked to stop: if it has not started, it is removed; a run that has begun sees {@link io.acidq.Delivery#isCancelRequested} become true.
     * A run that ends as done wins. With any other end, also a crash of its process, the message is removed and not retried. The audit log records each
     * request.
     *
     * @param id       the message
     * @param operator who does it, and why
     * @throws QueueMisuseException when the message is a dead letter, the queue does not exist, or a text is outside its bounds
     */
    CancelResult cancel(MessageId id, Operator operator);

    /**
     * Cancels the messages that a filter selects, up to the limit of the action, as {@link #cancel(MessageId, Operator)} does: those in the lanes of the queue by lane
     * and place, then the scheduled ones, soonest due first, then those parked behind a dead letter. Reads the messages of the queue in short transactions of at most 1,000 rows, and removes at
     * most 100 in one transaction. A message that another transaction has locked is left alone. If the call fails, the same call does the rest.
     *
     * @param filter the messages; those that a node has claimed only if it says so: they are asked to stop, one by one
     * @param action who does it and why, the limit and the rate, and whether it only counts
     * @throws QueueMisuseException when the queue does not exist
     */
    BulkCancellation cancel(MessageFilter filter, BulkAction action);

    /**
     * The result of a bulk cancellation.
     *
     * @param dryRun    whether nothing was changed; the counts then say what the action would have done
     * @param cancelled how many messages were removed
     * @param asked     how many were claimed, and asked to stop
     * @param lost      how many of the selected messages were claimed, moved, locked or ended when their turn came; 0 in a dry run
     * @param complete  whether all messages were looked at; false when the limit was reached, so that others may match too
     */
    record BulkCancellation(boolean dryRun, int cancelled, int asked, int lost, boolean complete) {}

    /** The result of {@link #cancel(MessageId, Operator)}. */
    enum CancelResult {

        /** The message is removed, and does not run. */
        CANCELLED,

        /** A node has claimed the message and is asked to stop it. */
        ASKED,

        /** There is no such message: it has ended (done, cancelled, expired or discarded), or its enqueue did not commit. */
        GONE
    }

    /**
     * A queue in the database.
     *
     * @param name     the name of the queue
     * @param paused   whether it is paused
     * @param servedBy the nodes that are alive and have a listener for it
     */
    record QueueInfo(String name, boolean paused, List<Diagnosis.Node> servedBy) {

        public QueueInfo {
            servedBy = List.copyOf(servedBy);
        }
    }

    /**
     * The payload and the headers of a message.
     *
     * @param type    the logical name of the payload's type
     * @param payload the encoded payload
     * @param headers the headers; empty when the stored text cannot be read
     */
    record MessageContent(String type, byte[] payload, Map<String, String> headers) {}
}

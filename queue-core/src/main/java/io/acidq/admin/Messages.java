package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.StoredMessage.MessageState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Lists queues and messages of a database, and cancels messages, for operators. Thread-safe; needs no listener. Each call but those named
 * {@code cancel} is a short read transaction of its own that locks nothing. Each throws {@link TransientQueueException} when the database could not
 * do it now. The limits bound the rows that a call reads; a search for one message reads one lane of its queue at most.
 */
public interface Messages {

    /** The limit of the rows that {@link #list} reads in the lanes of a queue. */
    int MAX_SCANNED = 10_000;

    /** The limit of the count of a slot of {@link #scheduledBetween}. */
    int MAX_COUNTED_IN_SLOT = 1_000;

    /**
     * Lists the queues by name.
     *
     * @param limit the maximum number of queues, 1 to 10,000
     */
    List<QueueInfo> queues(int limit);

    /**
     * Lists messages of a queue: first those in its lanes, by lane and place; then the parked ones, by ordering key; then the scheduled ones, soonest
     * due first; then dead letters, newest first. For READY and WAITING only the first {@link #MAX_SCANNED} messages of each are scanned.
     *
     * @param state the state of the messages; null for all that have not ended, dead letters included
     * @param limit the maximum number of messages, 1 to 10,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    default List<StoredMessage> list(String queue, @Nullable MessageState state, int limit) {
        return list(new MessageQuery(queue, state, null, null, limit, null)).messages();
    }

    /**
     * Lists messages of a queue, in the same order; with DONE those of the archive, newest first. Over all slices no message that stays where it is
     * appears twice or is missing. A call scans {@link #MAX_SCANNED} messages of a table at most, since those that match may be few; with an
     * ordering key it scans its lane only.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    MessageSlice list(MessageQuery query);

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
     * Returns the message that has taken a message key last; it may have ended, and another may have taken the key since.
     *
     * @throws QueueMisuseException when the queue does not exist, or the key is invalid
     */
    Optional<MessageId> keyHolder(String queue, String key);

    /**
     * Returns the payload and the headers of a message.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    Optional<MessageContent> content(MessageId id);

    /**
     * Counts the scheduled messages of a queue by their due time, in slots of equal length.
     *
     * @param from  the beginning of the first slot, by the database's clock
     * @param until the end of the last slot
     * @param slots the number of slots, 1 to 60. In each one {@link #MAX_COUNTED_IN_SLOT} messages are counted at most
     * @throws QueueMisuseException when the queue does not exist, or a value is outside its bounds
     */
    List<ScheduledSlot> scheduledBetween(String queue, Instant from, Instant until, int slots);

    /**
     * Returns the crashes of processes that are counted against a message, oldest first. They are forgotten when the message ends.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    List<MessageCrash> crashes(MessageId id);

    /**
     * Cancels a message. A message that is not claimed is removed at once and does not run; its message key stays taken until its window ends. A message that a
     * node has claimed is cancelled on request: if it has not started, it is removed; a run that has begun sees {@link io.acidq.Delivery#isCancelRequested} become true.
     * A run that ends as done wins. With any other end, also a crash of its process, the message is removed and not retried. The audit log records each
     * request.
     *
     * @param id       the message
     * @param operator who does it, and why
     * @throws QueueMisuseException when the message is a dead letter, the queue does not exist, or a text is outside its bounds
     */
    CancelResult cancel(MessageId id, Operator operator);

    /**
     * Cancels the messages that a filter selects, up to the limit of the action, as {@link #cancel(MessageId, Operator)} does: those in the lanes of
     * the queue by lane and place, then the scheduled ones, soonest due first, then those parked behind a dead letter. Reads the messages of the
     * queue in short transactions of at most 1,000 rows, and removes at most 100 in one transaction. A message that another transaction has locked is
     * left alone. If the call fails, the same call does the rest.
     *
     * @param filter the messages; those that a node has claimed only if it says so: their cancel is requested, one by one
     * @param action who does it and why, the limit and the rate, and whether it only counts
     * @throws QueueMisuseException when the queue does not exist
     */
    BulkCancellation cancel(MessageFilter filter, BulkAction action);

    /**
     * The scheduled messages that are due in a time.
     *
     * @param from     the beginning of the time, inclusive
     * @param until    its end, exclusive
     * @param messages how many are due in it
     * @param complete whether all of them were counted; if not, there may be more
     */
    record ScheduledSlot(Instant from, Instant until, int messages, boolean complete) {}

    /**
     * A crash of a process while it ran a message, or may have run it.
     *
     * @param at   when it was counted, by the database's clock
     * @param node the number of the node
     * @param host where the node ran
     */
    record MessageCrash(Instant at, int node, String host) {}

    /**
     * A part of a list of messages.
     *
     * @param messages the messages
     * @param next     where the list continues, for {@link MessageQuery#withAfter}; empty at its end
     * @param scanned  how many messages were scanned, if that was the reason to stop; empty otherwise
     */
    record MessageSlice(List<StoredMessage> messages, Optional<MessagePosition> next, OptionalInt scanned) {

        public MessageSlice {
            messages = List.copyOf(messages);
        }
    }

    /**
     * The result of a bulk cancellation.
     *
     * @param dryRun    whether nothing was changed; the counts then say what the action would have done
     * @param cancelled how many messages were removed
     * @param requested how many were claimed, and their cancel was requested
     * @param lost      how many of the selected messages were claimed, moved, locked or ended when their turn came; 0 in a dry run
     * @param complete  whether all messages were scanned; false when the limit was reached, so that others may match too
     */
    record BulkCancellation(boolean dryRun, int cancelled, int requested, int lost, boolean complete) {}

    /** The result of {@link #cancel(MessageId, Operator)}. */
    enum CancelResult {

        /** The message is removed, and does not run. */
        CANCELLED,

        /** A node has claimed the message and is asked to cancel it. */
        REQUESTED,

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

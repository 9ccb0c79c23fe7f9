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
 * Lists queues and messages of a database, for operators. Thread-safe; needs no listener. Each call is a short read transaction of its own that locks
 * nothing, and throws {@link TransientQueueException} when the database could not do it now. The limits bound the rows that a call reads; a search for one
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
     * Returns a message; empty when it is done, cancelled or discarded, or its enqueue did not commit.
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

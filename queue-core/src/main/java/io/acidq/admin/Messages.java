package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What lies in the queues of a database, for operators who look. Thread-safe; needs no listener. Every call is a short transaction of its
 * own that locks nothing and changes nothing, and reads no more than it is told to, but for one lane of the queue where a message is looked
 * up. What the database could not do now comes as {@link TransientQueueException}.
 */
public interface Messages {

    /** Of what waits in the lanes of a queue only so many are looked at, however large the queue is. */
    int MOST_LOOKED_AT = 10_000;

    /**
     * The queues by name.
     *
     * @param limit at most so many, 1 to 10,000
     */
    List<QueueInfo> queues(int limit);

    /**
     * Messages of a queue: first those in its lanes, by lane and place, then what waits apart, soonest due first, then dead letters, oldest
     * first. READY and WAITING are looked for among the first {@link #MOST_LOOKED_AT} of the lanes.
     *
     * @param state only those; null for all
     * @param limit at most so many, 1 to 10,000
     * @throws QueueMisuseException when there is no such queue, or the limit is out of bounds
     */
    List<StoredMessage> list(String queue, @Nullable MessageState state, int limit);

    /**
     * One message; empty when it is in none of the tables: done, cancelled or discarded, or its enqueue never committed.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    Optional<StoredMessage> find(MessageId id);

    /**
     * The message that holds a message key; empty when none does that still is in a table.
     *
     * @throws QueueMisuseException when there is no such queue, or no message can have such a key
     */
    Optional<StoredMessage> findByKey(String queue, String key);

    /**
     * What a message carries.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    Optional<MessageContent> content(MessageId id);
}

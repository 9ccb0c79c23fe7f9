package io.acidq.admin;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lists and releases ordering keys that are blocked by a dead letter; that happens in queues with {@link DeadHeadPolicy#BLOCK} or
 * {@link DeadHeadPolicy#PARK}. Available in every engine, with or without listeners. Thread-safe. Each call uses short transactions of its own,
 * independent of a transaction of the caller, and throws {@link TransientQueueException} when the database could not do it now.
 *
 * <p>A key continues when its dead letter is replayed into its old place or discarded ({@link DeadLetters}), or when the key is released here.
 */
public interface BlockedKeys {

    /**
     * Lists the blocked keys of a queue in the order of their lanes and places, with the number of messages that wait behind each.
     *
     * @param limit the maximum number of keys, 1 to 1,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    List<BlockedKey> list(String queue, int limit);

    /**
     * Returns one ordering key; empty when no dead letter blocks it. Reads the blocked keys of the queue up to this one.
     *
     * @throws QueueMisuseException when the queue does not exist, or the key is invalid
     */
    Optional<BlockedKey> find(String queue, String orderingKey);

    /**
     * Lets a key continue without its dead letter. The dead letter is kept; a later replay appends it at the end of the lane. The same transaction
     * records the action in the audit log.
     *
     * @param seen     the blocked key as {@link #list} or {@link #find} returned it. Nothing is done when its dead letter has been replayed, discarded or released since
     * @param operator who does it, and why
     * @return whether this call released the key
     */
    boolean release(BlockedKey seen, Operator operator);

    /**
     * An ordering key whose messages wait behind a dead letter.
     *
     * @param orderingKey the ordering key
     * @param head        the dead letter that blocks the key
     * @param since       when it became a dead letter, by the database's clock
     * @param error       the first line of its last error
     * @param waiting     how many messages wait behind it; {@link #MAX_COUNTED} means that many or more
     */
    record BlockedKey(String orderingKey, MessageId head, Instant since, String error, int waiting) {

        /** The limit up to which waiting messages are counted. */
        public static final int MAX_COUNTED = 1_000;
    }
}

package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import io.acidq.admin.StoredMessage.MessageState;
import org.jspecify.annotations.Nullable;

/**
 * Selects messages of a queue for a list, and a part of that list. Immutable; begin with {@link #of} and add conditions. All conditions must hold.
 *
 * @param queue       the name of the queue
 * @param state       the state of the messages; null for all that have not ended, dead letters included
 * @param type        the logical name of the payload's type; null for all
 * @param orderingKey the ordering key; null for all
 * @param limit       the maximum number of messages, 1 to 10,000. Default 50
 * @param after       where the list continues; null for its beginning
 */
public record MessageQuery(
        String queue,
        @Nullable MessageState state,
        @Nullable String type,
        @Nullable String orderingKey,
        int limit,
        @Nullable MessagePosition after) {

    private static final int TYPE_CHARACTERS = 100;
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 10_000;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when a value is invalid
     */
    public MessageQuery {
        InputChecks.checkQueue(queue);
        if (type != null) {
            InputChecks.checkText("type", type, TYPE_CHARACTERS);
        }
        InputChecks.checkWantedKey("ordering key", orderingKey);
        InputChecks.checkLimit("a list of messages", limit, MAX_LIMIT);
    }

    /** Selects all messages of the queue that have not ended, and its dead letters. */
    public static MessageQuery of(String queue) {
        return new MessageQuery(queue, null, null, null, DEFAULT_LIMIT, null);
    }

    /** Selects by state. DONE selects those that the archive keeps. */
    public MessageQuery withState(MessageState value) {
        return new MessageQuery(queue, value, type, orderingKey, limit, after);
    }

    /** Selects by the logical name of the payload's type. */
    public MessageQuery withType(String value) {
        return new MessageQuery(queue, state, value, orderingKey, limit, after);
    }

    /** Selects by ordering key. */
    public MessageQuery withOrderingKey(String value) {
        return new MessageQuery(queue, state, type, value, limit, after);
    }

    /** Sets the maximum number of messages, 1 to 10,000. */
    public MessageQuery withLimit(int value) {
        return new MessageQuery(queue, state, type, orderingKey, value, after);
    }

    /** Continues the list. */
    public MessageQuery withAfter(MessagePosition value) {
        return new MessageQuery(queue, state, type, orderingKey, limit, value);
    }

    /** The conditions, without limit and position. */
    @Override
    public String toString() {
        return "queue=" + queue + " state=" + state + " type=" + type + " orderingKey=" + orderingKey;
    }
}

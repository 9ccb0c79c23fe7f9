package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects messages of a queue that have not ended and are no dead letters: those that match all values that are not null. Immutable; begin with {@link #of} and add
 * conditions. With an ordering key only the lane of that key is read; every other condition is checked on each message of the queue.
 *
 * @param queue          the name of the queue
 * @param type           the logical name of the payload's type
 * @param orderingKey    the ordering key
 * @param enqueuedBefore the messages that were enqueued before this time, by the database's clock
 * @param claimed        whether messages are also selected that a node has claimed, which may be running
 */
public record MessageFilter(
        String queue,
        @Nullable String type,
        @Nullable String orderingKey,
        @Nullable Instant enqueuedBefore,
        boolean claimed) {

    private static final int TYPE_CHARACTERS = 100;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when a value is invalid, so that no message can match
     */
    public MessageFilter {
        InputChecks.checkQueue(queue);
        if (type != null) {
            InputChecks.checkText("type", type, TYPE_CHARACTERS);
        }
        InputChecks.checkWantedKey("ordering key", orderingKey);
        InputChecks.checkTime("instant of enqueuedBefore", enqueuedBefore);
    }

    /** Selects all messages of the queue that are not claimed. */
    public static MessageFilter of(String queue) {
        return new MessageFilter(queue, null, null, null, false);
    }

    /** Selects by the logical name of the payload's type. */
    public MessageFilter withType(String value) {
        return new MessageFilter(queue, value, orderingKey, enqueuedBefore, claimed);
    }

    /** Selects by ordering key. */
    public MessageFilter withOrderingKey(String value) {
        return new MessageFilter(queue, type, value, enqueuedBefore, claimed);
    }

    /** Selects messages that were enqueued before this time. */
    public MessageFilter withEnqueuedBefore(Instant value) {
        return new MessageFilter(queue, type, orderingKey, value, claimed);
    }

    /** Also selects messages that a node has claimed. */
    public MessageFilter withClaimed() {
        return new MessageFilter(queue, type, orderingKey, enqueuedBefore, true);
    }

    /** The conditions, as the audit log shows them. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("queue=").append(queue);
        append(text, "type", type);
        append(text, "orderingKey", orderingKey);
        append(text, "enqueuedBefore", enqueuedBefore);
        append(text, "claimed", claimed ? true : null);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(' ').append(name).append('=').append(value);
        }
    }
}

package io.acidq;

import java.util.UUID;

/**
 * The public id of a message; it stays the same from enqueue to dead letter. Its text form is {@code queue~lane~uid}. Queue and lane are part of the
 * id, so that a search for a message reads one lane at most.
 *
 * @param queue the name of the queue
 * @param lane  the lane of the queue that holds the message, 0 or above
 * @param uid   a UUID of version 7, or of version 8 if the message has a receipt; globally unique
 */
public record MessageId(String queue, int lane, UUID uid) {

    /** The version of the UUID of a message that has a receipt. */
    public static final int VERSION_WITH_RECEIPT = 8;

    private static final char SEPARATOR = '~';

    public MessageId {
        InputChecks.checkQueue(queue);
        if (lane < 0) {
            throw new IllegalArgumentException("lane of message " + uid + " must not be negative, was " + lane);
        }
    }

    /**
     * Parses the text form of an id.
     *
     * @throws IllegalArgumentException when the text is not a message id
     */
    public static MessageId parse(String text) {
        int last = text.lastIndexOf(SEPARATOR);
        int first = text.lastIndexOf(SEPARATOR, last - 1);
        if (first <= 0) {
            throw new IllegalArgumentException("not a message id: '" + text + "'; expected queue~lane~uid");
        }
        try {
            return new MessageId(
                    text.substring(0, first),
                    Integer.parseInt(text.substring(first + 1, last)),
                    UUID.fromString(text.substring(last + 1)));
        } catch (IllegalArgumentException | QueueMisuseException e) {
            throw new IllegalArgumentException("not a message id: '" + text + "'; expected queue~lane~uid", e);
        }
    }

    /** The priority of the message, by its lane. */
    public Priority priority() {
        return Priority.ofLane(lane);
    }

    /** Whether the message was enqueued with a receipt, see {@link EnqueueOptions#receipt}. */
    public boolean hasReceipt() {
        return uid.version() == VERSION_WITH_RECEIPT;
    }

    /** The text form {@code queue~lane~uid}, which {@link #parse} reads. */
    @Override
    public String toString() {
        return queue + SEPARATOR + lane + SEPARATOR + uid;
    }
}

package io.acidq;

import java.util.UUID;

/**
 * The public identity of a message, the same from enqueue to dead letter. It carries queue and lane besides the unique
 * number, so that looking a message up scans one lane at worst. Written {@code queue~lane~uid}.
 *
 * @param queue the queue's name
 * @param lane  the lane of the queue that the message lies in
 * @param uid   a UUID of version 7, unique everywhere
 */
public record MessageId(String queue, int lane, UUID uid) {

    private static final char SEPARATOR = '~';

    public MessageId {
        QueueNames.check(queue);
        if (lane < 0) {
            throw new IllegalArgumentException("lane of message " + uid + " must not be negative, was " + lane);
        }
    }

    /** Reads what {@link #toString()} wrote. */
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
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a message id: '" + text + "'; expected queue~lane~uid", e);
        }
    }

    @Override
    public String toString() {
        return queue + SEPARATOR + lane + SEPARATOR + uid;
    }
}

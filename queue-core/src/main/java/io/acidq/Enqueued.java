package io.acidq;

/**
 * What became of an enqueue.
 *
 * @param id     the message: the new one, or for a duplicate the one that holds the key
 * @param result whether this call added a message
 */
public record Enqueued(MessageId id, Result result) {

    public enum Result {
        /** A message was added; it becomes visible when the caller's transaction commits. */
        ENQUEUED,
        /** The key is taken: nothing was added, and {@link Enqueued#id()} is the message that took it. */
        DUPLICATE
    }

    public boolean isDuplicate() {
        return result == Result.DUPLICATE;
    }
}

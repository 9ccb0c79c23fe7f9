package io.acidq;

/**
 * What became of an enqueue.
 *
 * @param id     the message that stands for this call now: the one added, or the one that holds the key
 * @param result what was done
 */
public record Enqueued(MessageId id, Result result) {

    public enum Result {
        /** A message was added; it becomes visible when the caller's transaction commits. */
        ENQUEUED,
        /** The key is taken: nothing was added, and {@link Enqueued#id()} is the message that took it. */
        DUPLICATE,
        /** The key is taken, and the call asked for {@link OnDuplicate#throttle}: nothing was added; this call's content runs nowhere. */
        THROTTLED,
        /** The message that holds the key was not yet due: it has this call's content and due time now. */
        REPLACED,
        /** The same, and its due time was pushed out. */
        DEBOUNCED,
        /** The message that held the key was due already: a message was added that holds the key now. */
        SUCCESSOR
    }

    /** Whether nothing was added because the key is taken, and another message stands for this one. */
    public boolean isDuplicate() {
        return result == Result.DUPLICATE;
    }

    /** Whether this call added a message. */
    public boolean isAdded() {
        return result == Result.ENQUEUED || result == Result.SUCCESSOR;
    }
}

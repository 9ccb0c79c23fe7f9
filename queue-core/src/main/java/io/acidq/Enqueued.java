package io.acidq;

/**
 * The result of enqueueing one message.
 *
 * @param id     the message that was added or changed, or the message that holds the key
 * @param result what the call did
 */
public record Enqueued(MessageId id, Result result) {

    /** The result of an enqueue. */
    public enum Result {
        /** The message was added. It becomes visible to consumers when the caller's transaction commits. */
        ENQUEUED,
        /** The message key is taken. No message was added; {@link Enqueued#id()} is the message that holds the key. */
        DUPLICATE,
        /** The message key is taken and the call uses {@link OnDuplicate#throttle}. No message was added, and this payload is discarded. */
        THROTTLED,
        /** The message that holds the key was not yet due. It now has the payload, headers and due time of this call. */
        REPLACED,
        /** The message that holds the key was not yet due. It now has the payload and headers of this call and a later due time. */
        DEBOUNCED,
        /** The message that held the key was already due. A successor was added, and it now holds the key. */
        SUCCESSOR
    }

    /**
     * Whether the result is {@link Result#DUPLICATE}. A throttled message is no duplicate: {@link #isAdded} tells for every result whether a message was added.
     */
    public boolean isDuplicate() {
        return result == Result.DUPLICATE;
    }

    /** Whether this call added a message. */
    public boolean isAdded() {
        return result == Result.ENQUEUED || result == Result.SUCCESSOR;
    }
}

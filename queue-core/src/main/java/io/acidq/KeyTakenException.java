package io.acidq;

/**
 * Thrown by an enqueue with {@link OnDuplicate#reject()} whose message key is taken. No message was added, not even the other messages of a bulk
 * enqueue. The caller's transaction stays usable.
 */
public final class KeyTakenException extends MessageRejectedException {

    private static final long serialVersionUID = 1L;

    private final String holder;

    public KeyTakenException(String key, MessageId holder) {
        super("the key '" + key + "' of queue '" + holder.queue() + "' is taken by message " + holder
                + ", so nothing was enqueued: use another key, or OnDuplicate.ignore() where a repetition is no error");
        this.holder = holder.toString();
    }

    /** The message that holds the key. */
    public MessageId holder() {
        return MessageId.parse(holder);
    }
}

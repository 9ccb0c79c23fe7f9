package io.acidq;

/**
 * The policy for an ordering key when its first message becomes a dead letter. The setting belongs to the queue and holds for all nodes.
 * Messages without an ordering key are not affected.
 */
public enum DeadHeadPolicy {

    /** The next message of the key runs. */
    SKIP,

    /**
     * The later messages of the key wait in their lane until the dead letter is replayed into its old place, discarded or released. A hold marker
     * keeps the place of the dead letter.
     */
    BLOCK,

    /**
     * The key is blocked as with {@link #BLOCK}, and its later messages are moved out of the lane into a table of parked messages, where claims do
     * not read them. They return in order.
     */
    PARK
}

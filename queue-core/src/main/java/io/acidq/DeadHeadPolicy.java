package io.acidq;

/**
 * What happens to an ordering key when its first message becomes a dead letter. The setting belongs to the queue and holds for all nodes.
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
     * As {@link #BLOCK}, but the later messages of the key are moved out of the lane into a table of parked messages, where claims do not read them.
     * They return in order.
     */
    PARK
}

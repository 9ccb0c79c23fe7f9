package io.acidq;

/**
 * What becomes of an ordering key when its first message dies. A setting of the queue, the same for all nodes; messages without ordering
 * key are always skipped.
 */
public enum DeadHeadPolicy {

    /** The next message of the key runs. */
    SKIP,

    /**
     * A hold marker keeps the place of the dead letter, and the others of its key wait behind it, until it is replayed into its old place,
     * discarded or released. They stay in their lane.
     */
    BLOCK,

    /** As {@link #BLOCK}, but the others of the key are set aside, where they are in nobody's way, and come back in order. */
    PARK
}

package io.acidq.admin;

/** Why a message does not run, or does; of several reasons the first in this order. */
public enum DiagnosisReason {
    /** It is in none of the tables: done, cancelled or discarded, or its enqueue never committed. */
    GONE,
    /** It is done, and its queue keeps it in the archive. */
    DONE,
    /** It is a dead letter. */
    DEAD,
    /** The engine that was asked runs it. */
    RUNNING,
    /** The engine that was asked has claimed it and not started it yet. */
    BUFFERED,
    /** A living node has claimed it: it runs there, or is about to. */
    CLAIMED,
    /** A node has claimed it that does not live any more: the others will free it. */
    ORPHANED,
    /** It waits for its due time, or for its next attempt. */
    NOT_DUE,
    /** Its queue is paused. */
    PAUSED,
    /** No living node has a listener of its queue. */
    NO_LISTENER,
    /** It has an ordering key, and the engine that was asked claims its queue in a way that leaves those alone. */
    STRATEGY_IGNORES_ORDERING_KEYS,
    /** Another message of its ordering key stands before it. */
    BEHIND_EARLIER_MESSAGE,
    /** A breaker, a rate limit or a bulkhead of the engine that was asked holds its queue back. */
    GUARDED,
    /** Processes ended while it ran: it runs only when nothing else of its queue does. */
    SUSPECT,
    /** Nothing holds it back: it runs as soon as a worker is free. */
    READY
}

package io.acidq.admin;

/** The reasons of a {@link Diagnosis}. If several apply, the diagnosis has the first in this order. */
public enum DiagnosisReason {
    /** The message is in none of the tables: it is done, cancelled or discarded, or its enqueue did not commit. */
    GONE,
    /** The message is done and still in the archive of its queue. */
    DONE,
    /** The message is a dead letter. */
    DEAD,
    /** This engine runs the message. */
    RUNNING,
    /** This engine has claimed the message and has not started it yet. */
    BUFFERED,
    /** Another node that is alive has claimed the message. */
    CLAIMED,
    /** A node that is no longer alive has claimed the message. Another node will free it. */
    ORPHANED,
    /** The message waits for its due time, or for its next attempt. */
    NOT_DUE,
    /** The queue is paused. */
    PAUSED,
    /** No node that is alive has a listener for the queue. */
    NO_LISTENER,
    /** The message has an ordering key, and this engine claims the queue by a strategy that ignores such messages. */
    STRATEGY_IGNORES_ORDERING_KEYS,
    /** An earlier message of the same ordering key is not finished. */
    BEHIND_EARLIER_MESSAGE,
    /** A circuit breaker, rate limit or bulkhead of this engine holds the queue back. */
    GUARDED,
    /** Earlier runs of the message ended with a crash: it runs only while no other message of the queue does. */
    SUSPECT,
    /** Nothing holds the message back: it runs as soon as a worker is free. */
    READY
}

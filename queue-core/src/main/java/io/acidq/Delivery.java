package io.acidq;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** One message as it is handed to a handler, besides its payload. Immutable. */
public interface Delivery {

    MessageId id();

    /** The message key that it was enqueued with. */
    Optional<String> key();

    Optional<String> orderingKey();

    Map<String, String> headers();

    /** Which start this is among those that count against the maximum: 1 for the first. */
    int attempt();

    /** How many starts of this message ended with the death of their process. Above 0, nothing else of its queue runs beside it here. */
    int crashes();

    /** The number of the claim that this run works under; it only rises over the life of the message. */
    int claimNo();

    /** The node that runs it: one incarnation of an engine, never used again. */
    int node();

    /**
     * Asks the database whether this run still holds its claim: a plain read on a connection of its own. False once the node was declared
     * dead or the run was given up at its timeout; what the handler does then is done elsewhere too, and its own end will be refused. A
     * true may be outdated when it is read: it saves work, it protects nothing.
     */
    boolean stillMine();

    /** When it was enqueued, by the database's clock, microseconds. */
    Instant enqueuedAt();

    /** When it was due, by the database's clock, microseconds. */
    Instant dueAt();
}

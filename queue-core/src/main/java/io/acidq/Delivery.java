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
    int deaths();

    /** The number of the claim that this run works under; it only rises over the life of the message. */
    int claimNo();

    /** The node that runs it: one incarnation of an engine, never used again. */
    int node();

    /** When it was enqueued, by the database's clock, microseconds. */
    Instant enqueuedAt();

    /** When it was due, by the database's clock, microseconds. */
    Instant dueAt();
}

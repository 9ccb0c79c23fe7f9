package io.acidq;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message as it is passed to a handler, without its payload. Immutable and thread-safe. */
public interface Delivery {

    /** The id of the message; it stays the same over all attempts. */
    MessageId id();

    /** The message key that the message was enqueued with. */
    Optional<String> key();

    /** The ordering key that the message was enqueued with. */
    Optional<String> orderingKey();

    /** The headers of the message; unmodifiable. */
    Map<String, String> headers();

    /** The number of this attempt, 1 for the first. It counts against the maximum of the retry policy. */
    int attempt();

    /**
     * How many earlier runs of this message ended with a crash of their process. While it is above 0, no other message of the queue runs at the
     * same time in this engine.
     */
    int crashes();

    /** The number of the claim that this run holds. It increases with each claim of the message. */
    int claimNo();

    /** The number of the node that runs the message. Each start of an engine registers a new node; numbers are never reused. */
    int node();

    /**
     * Asks the database whether this run still holds its claim, by a plain read on a separate connection.
     *
     * <p>The answer is false after the node was declared dead, or after the run was given up at its timeout. Another node may then run the message,
     * and the acknowledgement of this run will be refused. True may be outdated when the caller gets it: use this method to save work, not as a lock.
     *
     * @throws TransientQueueException when the database cannot answer now, for example because the pool has no free connection
     */
    boolean stillMine();

    /**
     * Whether an operator has asked to cancel this message; see {@link io.acidq.admin.Messages#cancel}. Reads memory: it becomes true about a second after the request.
     *
     * <p>A handler that stops throws an exception or returns any outcome but {@link Outcome#done}: the message is then removed and its effects are rolled back. A
     * handler that ends as done has done its work, and the request has come too late.
     */
    default boolean isCancelRequested() {
        return false;
    }

    /** When the message was enqueued, by the database's clock, to the microsecond. */
    Instant enqueuedAt();

    /**
     * When this run was due, by the database's clock, to the microsecond: for the first run the due time that the enqueue set, after a retry or a snooze
     * the end of its delay.
     */
    Instant dueAt();

    /**
     * The tick of the recurring message that enqueued this message; empty for other messages. It is read from headers: a message to which a handler
     * copies all {@link #headers} of such a message has the tick too.
     */
    default Optional<Tick> tick() {
        return Tick.of(headers());
    }

    /** The instant after which the message is not started, by the database's clock; empty when it does not expire. It does not end a run. */
    default Optional<Instant> expiresAt() {
        return Optional.empty();
    }
}

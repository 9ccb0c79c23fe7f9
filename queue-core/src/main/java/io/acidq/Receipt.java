package io.acidq;

import java.time.Instant;
import java.util.Optional;

/**
 * The receipt of a message: whether and how it has ended. A message has one if it was enqueued with {@link EnqueueOptions#receipt} or {@link
 * EnqueueOptions#result}. Immutable.
 */
public interface Receipt {

    /** The id of the message. */
    MessageId id();

    /** The state of the message when the receipt was read. */
    State state();

    /** When the message ended, by the database's clock; empty while it is pending. */
    Optional<Instant> endedAt();

    /** Until when the receipt is kept, by the database's clock; empty while the message or its dead letter exists. */
    Optional<Instant> keptUntil();

    /**
     * Returns the result of the handler; empty when the message is not done, its handler gave none, or the enqueue did not ask for one.
     *
     * @param type the type of the result
     * @throws io.acidq.codec.UndecodableException when the result is of another type
     */
    <T> Optional<T> result(Class<T> type);

    /**
     * Says why the result of a done message was not kept; empty when it was, or there was none. Only a handler in external mode can end so: its work
     * is done, and must not be repeated because of its result.
     */
    default Optional<String> resultError() {
        return Optional.empty();
    }

    /** Returns the result as it is stored; empty as {@link #result}. */
    Optional<EncodedResult> encodedResult();

    /** Whether the message has ended. A dead letter has ended too, although an operator may replay it. */
    default boolean isEnded() {
        return state() != State.PENDING;
    }

    /**
     * A result as it is stored.
     *
     * @param type  the logical name of its type
     * @param bytes the result, encoded by the codec of the engine that ran the message
     */
    record EncodedResult(String type, byte[] bytes) {}

    /** The states of a receipt. */
    enum State {
        /** The message has not ended: it waits, runs, or will be retried. */
        PENDING,
        /** The message is done. */
        DONE,
        /** The message is a dead letter, or was one until its retention ended. After a replay it is pending again. */
        DEAD,
        /** The handler has cancelled the message, or an operator has. */
        CANCELLED,
        /** The message was not started before it expired. */
        EXPIRED,
        /** An operator has discarded the message. */
        DISCARDED,
        /** The message has ended, and it is not known how, because it has no receipt. Only {@link Receipts#findByKey} returns this state. */
        GONE
    }
}

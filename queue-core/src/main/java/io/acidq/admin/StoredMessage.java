package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message in the database, without payload and headers; those are returned by {@link Messages#content}.
 *
 * @param id          the id of the message
 * @param state       its state
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of the payload's type
 * @param size        the size of the payload in bytes
 * @param attempts    the attempts that counted
 * @param crashes     the runs that ended with a crash of their process
 * @param node        the node that has claimed it
 * @param enqueuedAt  when it was enqueued, by the database's clock
 * @param dueAt       when it is or was due, by the database's clock; for a dead letter, when it became one; for a done message, when it was done
 * @param expiresAt   when it expires, by the database's clock; empty when it does not expire
 * @param expired     whether that time has come: a message that waits is ended when a worker takes it, and not run
 */
public record StoredMessage(
        MessageId id,
        MessageState state,
        Optional<String> key,
        Optional<String> orderingKey,
        String type,
        int size,
        int attempts,
        int crashes,
        OptionalInt node,
        Instant enqueuedAt,
        Instant dueAt,
        Optional<Instant> expiresAt,
        boolean expired) {
    /** The state of a message in the database. */
    public enum MessageState {
        /** The message waits for its due time or for its next attempt. */
        WAITING,
        /** The message is due. It runs as soon as a worker and its ordering key are free. */
        READY,
        /** A node has claimed the message: it runs or starts soon. */
        RUNNING,
        /** The message is a dead letter. */
        DEAD,
        /** The message is done, and its queue keeps it in the archive. */
        DONE
    }
}

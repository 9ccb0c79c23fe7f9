package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An action of an operator: on one message, a bulk action as a whole, or on a queue.
 *
 * @param id      its number; higher numbers were given later
 * @param at      when it was done, by the database's clock; of a bulk action, when it began
 * @param actor   who did it; {@code api} and the process when no name was given
 * @param action  {@code replay}, {@code discard}, {@code edit} (a replay with another payload), {@code release} (of a blocked key),
 *                {@code pause} or {@code resume}
 * @param queue   the queue's name
 * @param message the message; empty for a bulk action as a whole and for a queue
 * @param bulk    the number of the bulk action that it was part of
 * @param filter  which messages a bulk action was for; empty for one message and for a queue
 * @param reason  why it was done; empty when no name was given
 * @param detail  for people: the counts of a bulk action, so far; when, after how many attempts and of which cause the message had died
 */
public record AuditEntry(
        long id,
        Instant at,
        String actor,
        String action,
        String queue,
        Optional<MessageId> message,
        OptionalLong bulk,
        String filter,
        String reason,
        String detail) {}

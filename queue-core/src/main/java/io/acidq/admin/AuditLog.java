package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The audit log: which operator did what to messages, queues, subscriptions and recurring messages, when and why. Thread-safe. Each call is a short
 * read transaction of its own, independent of a transaction of the caller.
 */
public interface AuditLog {

    /** Returns all actions on one message, oldest first. */
    List<AuditEntry> of(MessageId id);

    /**
     * Returns the latest actions, newest first. A bulk action is one entry, regardless of the number of its messages.
     *
     * @param limit the maximum number of entries, 1 to 10,000
     * @throws QueueMisuseException when the limit is outside its bounds
     */
    default List<AuditEntry> recent(int limit) {
        return list(AuditQuery.all().withLimit(limit)).entries();
    }

    /**
     * Lists entries, newest first. Scans {@link AuditQuery#MAX_SCANNED} of them at most.
     *
     * @throws QueueMisuseException when the queue of the query does not exist
     */
    AuditSlice list(AuditQuery query);

    /** Returns an entry by its number. */
    Optional<AuditEntry> find(long id);

    /**
     * A part of a list of entries.
     *
     * @param entries  the entries, newest first
     * @param before   where the list continues, for {@link AuditQuery#withBefore}; empty at its end
     * @param scanned  how many entries were scanned, if that was the reason to stop; empty otherwise
     */
    record AuditSlice(List<AuditEntry> entries, OptionalLong before, OptionalInt scanned) {

        public AuditSlice {
            entries = List.copyOf(entries);
        }
    }

    /**
     * An action of an operator: on one message, on the messages of a bulk action, on a queue, or on a recurring message.
     *
     * @param id      the number of the entry; it increases
     * @param at      when the action was done, by the database's clock; for a bulk action, when it began
     * @param actor   who did it; {@code api} and the process when no name was given
     * @param action  {@code replay}, {@code discard}, {@code edit} (a replay with another payload), {@code release} (of a blocked key),
     *                {@code cancel}, {@code unsubscribe}, {@code pause}, {@code resume} or
     *                {@code stop} (of a bulk action, whose number is in the detail); for a recurring message {@code pause-recurring},
     *                {@code resume-recurring}, {@code remove-recurring}, {@code reschedule} or {@code trigger}
     * @param queue   the name of the queue
     * @param message the message; empty for a bulk action as a whole and for a queue
     * @param bulk    the number of the bulk action that the entry belongs to
     * @param filter  which messages a bulk action selected; empty for one message and for a queue
     * @param reason  why it was done; empty when no name was given
     * @param detail  a text for people: for a bulk action its counts so far; for a message when it became a dead letter, after how many attempts and with
     *                which error
     */
    record AuditEntry(
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
}

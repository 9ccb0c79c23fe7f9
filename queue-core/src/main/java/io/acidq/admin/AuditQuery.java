package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries of the audit log, and a part of their list, the newest first. Immutable; begin with {@link #all} or {@link #ofBulk} and add
 * conditions. All conditions must hold.
 *
 * @param bulk   the number of the bulk action whose messages are listed; 0 for the actions themselves, of which a bulk action is one
 * @param queue  the name of the queue; null for all
 * @param actor  who acted; null for everybody
 * @param action the action, such as {@code replay}; null for all
 * @param since  the start of the time of the action, inclusive, by the database's clock; null for none
 * @param until  the end of that time, exclusive; null for none
 * @param limit  the maximum number of entries, 1 to 10,000. Default 50
 * @param before the number of an entry: only earlier ones are listed. 0 for the beginning of the list
 */
public record AuditQuery(
        long bulk,
        @Nullable String queue,
        @Nullable String actor,
        @Nullable String action,
        @Nullable Instant since,
        @Nullable Instant until,
        int limit,
        long before) {

    /** The limit of the entries that one call scans. */
    public static final int MAX_SCANNED = 10_000;

    private static final Pattern ACTION = Pattern.compile("[a-z-]{1,20}");
    private static final int ACTOR_CHARACTERS = 100;
    private static final int DEFAULT_LIMIT = 50;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when a value is invalid, so that no entry can match
     */
    public AuditQuery {
        InputChecks.require(bulk >= 0, "the number of a bulk action must not be negative, was " + bulk);
        InputChecks.require(before >= 0, "the number of an entry must not be negative, was " + before);
        if (queue != null) {
            InputChecks.checkQueue(queue);
        }
        if (actor != null) {
            InputChecks.checkText("name of who acted", actor, ACTOR_CHARACTERS);
        }
        InputChecks.require(
                action == null || ACTION.matcher(action).matches(),
                "the action must be one of those of AuditEntry, such as replay or pause-recurring, was '" + action
                        + "'");
        InputChecks.checkTime("start of a list of the audit log", since);
        InputChecks.checkTime("end of a list of the audit log", until);
        InputChecks.checkLimit("a list of the audit log", limit, MAX_SCANNED);
    }

    /** Selects all actions. */
    public static AuditQuery all() {
        return new AuditQuery(0, null, null, null, null, null, DEFAULT_LIMIT, 0);
    }

    /** Selects the messages of a bulk action. */
    public static AuditQuery ofBulk(long number) {
        return new AuditQuery(number, null, null, null, null, null, DEFAULT_LIMIT, 0);
    }

    /** Selects by the name of the queue. */
    public AuditQuery withQueue(String value) {
        return new AuditQuery(bulk, value, actor, action, since, until, limit, before);
    }

    /** Selects by who acted. */
    public AuditQuery withActor(String value) {
        return new AuditQuery(bulk, queue, value, action, since, until, limit, before);
    }

    /** Selects by action. */
    public AuditQuery withAction(String value) {
        return new AuditQuery(bulk, queue, actor, value, since, until, limit, before);
    }

    /** Selects actions at the first instant or later, and before the second. */
    public AuditQuery between(Instant first, Instant second) {
        return new AuditQuery(bulk, queue, actor, action, first, second, limit, before);
    }

    /** Sets the maximum number of entries, 1 to 10,000. */
    public AuditQuery withLimit(int value) {
        return new AuditQuery(bulk, queue, actor, action, since, until, value, before);
    }

    /** Continues the list before an entry. */
    public AuditQuery withBefore(long value) {
        return new AuditQuery(bulk, queue, actor, action, since, until, limit, value);
    }
}

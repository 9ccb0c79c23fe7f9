package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selects dead letters of a queue: those that match all values that are not null. Immutable; begin with {@link #of} and add conditions. Id, cause and
 * time are found by an index; type, key and ordering key are checked on each letter that the index leaves.
 *
 * @param queue       the name of the queue
 * @param id          the id of the message, which is of this queue
 * @param cause       a cause as 16 hexadecimal digits, from {@link DeadLetterGroup#cause}
 * @param type        the logical name of the payload's type
 * @param key         the message key
 * @param orderingKey the ordering key
 * @param since       the start of the time in which the message became a dead letter, inclusive, by the database's clock
 * @param until       the end of that time, exclusive
 */
public record DeadLetterFilter(
        String queue,
        @Nullable MessageId id,
        @Nullable String cause,
        @Nullable String type,
        @Nullable String key,
        @Nullable String orderingKey,
        @Nullable Instant since,
        @Nullable Instant until) {

    private static final Pattern CAUSE = Pattern.compile("[0-9A-F]{16}");
    private static final int TYPE_CHARACTERS = 100;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when a value is invalid, so that no dead letter can match
     */
    public DeadLetterFilter {
        InputChecks.checkQueue(queue);
        InputChecks.require(
                id == null || id.queue().equals(queue),
                "message " + id + " is not a message of queue '" + queue + "': give the queue of the message");
        cause = checkedCause(cause);
        if (type != null) {
            InputChecks.checkText("type", type, TYPE_CHARACTERS);
        }
        InputChecks.checkWantedKey("key", key);
        InputChecks.checkWantedKey("ordering key", orderingKey);
        InputChecks.checkTime("first instant of diedBetween", since);
        InputChecks.checkTime("second instant of diedBetween", until);
        if (since != null && until != null && !since.isBefore(until)) {
            throw new QueueMisuseException(
                    "the second instant of diedBetween must be later than the first, " + since + ", was " + until);
        }
    }

    static @Nullable String checkedCause(@Nullable String cause) {
        if (cause == null) {
            return null;
        }
        String upper = cause.toUpperCase(Locale.ROOT);
        if (!CAUSE.matcher(upper).matches()) {
            throw new QueueMisuseException("the cause must have 16 hexadecimal digits,"
                    + " as DeadLetters.groups returns it, was '" + upper + "'");
        }
        return upper;
    }

    /** Selects all dead letters of the queue. */
    public static DeadLetterFilter of(String queue) {
        return new DeadLetterFilter(queue, null, null, null, null, null, null, null);
    }

    /** Selects one dead letter. The audit log records an action with this filter as an action on the message, not as a bulk action. */
    public static DeadLetterFilter of(MessageId id) {
        return new DeadLetterFilter(id.queue(), id, null, null, null, null, null, null);
    }

    /** Whether all conditions are found by an index, so that no letter is scanned in vain. */
    public boolean isIndexed() {
        return id != null || (type == null && key == null && orderingKey == null);
    }

    /** Selects by cause: a {@link DeadLetterGroup#cause}. */
    public DeadLetterFilter withCause(String value) {
        return new DeadLetterFilter(queue, id, value, type, key, orderingKey, since, until);
    }

    /** Selects by the logical name of the payload's type. */
    public DeadLetterFilter withType(String value) {
        return new DeadLetterFilter(queue, id, cause, value, key, orderingKey, since, until);
    }

    /** Selects by message key. */
    public DeadLetterFilter withKey(String value) {
        return new DeadLetterFilter(queue, id, cause, type, value, orderingKey, since, until);
    }

    /** Selects by ordering key. */
    public DeadLetterFilter withOrderingKey(String value) {
        return new DeadLetterFilter(queue, id, cause, type, key, value, since, until);
    }

    /** Selects messages that became dead letters at the first instant or later, and before the second. */
    public DeadLetterFilter diedBetween(Instant first, Instant second) {
        return new DeadLetterFilter(queue, id, cause, type, key, orderingKey, first, second);
    }

    /** The conditions, as the audit log shows them. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("queue=").append(queue);
        append(text, "id", id);
        append(text, "cause", cause);
        append(text, "type", type);
        append(text, "key", key);
        append(text, "orderingKey", orderingKey);
        append(text, "since", since);
        append(text, "until", until);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(' ').append(name).append('=').append(value);
        }
    }
}

package io.acidq.admin;

import io.acidq.Limits;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters of a queue are meant: those that have all that is given. Immutable; begin with {@link #of} and add what narrows
 * it. Cause and time are looked up in an index; type, key and ordering key are looked for among the letters that these leave.
 *
 * @param queue       the queue's name
 * @param fingerprint the cause, in 16 hexadecimal digits, as {@link DeadLetterGroup} gives it
 * @param type        the logical name of the payload's type
 * @param key         the message key
 * @param orderingKey the ordering key
 * @param from        died at this instant of the database's clock or later
 * @param until       died before this instant of the database's clock
 */
public record DeadLetterFilter(
        String queue,
        @Nullable String fingerprint,
        @Nullable String type,
        @Nullable String key,
        @Nullable String orderingKey,
        @Nullable Instant from,
        @Nullable Instant until) {

    private static final Pattern FINGERPRINT = Pattern.compile("[0-9A-F]{16}");
    private static final int TYPE_CHARACTERS = 100;

    /**
     * Checks what is given.
     *
     * @throws QueueMisuseException when no dead letter could ever match
     */
    public DeadLetterFilter {
        QueueNames.check(queue);
        if (fingerprint != null) {
            fingerprint = fingerprint.toUpperCase(Locale.ROOT);
            if (!FINGERPRINT.matcher(fingerprint).matches()) {
                throw new QueueMisuseException("a cause is given by its fingerprint of 16 hexadecimal digits, as"
                        + " DeadLetters.groups lists it, was '" + fingerprint + "'");
            }
        }
        if (type != null) {
            Limits.checkText("type", type, TYPE_CHARACTERS);
        }
        Limits.checkWantedKey("key", key);
        Limits.checkWantedKey("ordering key", orderingKey);
        Limits.checkTime("beginning", from);
        Limits.checkTime("end", until);
        if (from != null && until != null && !from.isBefore(until)) {
            throw new QueueMisuseException("between " + from + " and " + until + " nothing can have died");
        }
    }

    /** Every dead letter of the queue. */
    public static DeadLetterFilter of(String queue) {
        return new DeadLetterFilter(queue, null, null, null, null, null, null);
    }

    public DeadLetterFilter withCause(String value) {
        return new DeadLetterFilter(queue, value, type, key, orderingKey, from, until);
    }

    public DeadLetterFilter withType(String value) {
        return new DeadLetterFilter(queue, fingerprint, value, key, orderingKey, from, until);
    }

    public DeadLetterFilter withKey(String value) {
        return new DeadLetterFilter(queue, fingerprint, type, value, orderingKey, from, until);
    }

    public DeadLetterFilter withOrderingKey(String value) {
        return new DeadLetterFilter(queue, fingerprint, type, key, value, from, until);
    }

    /** Only those that died at the first instant or later, and before the second. */
    public DeadLetterFilter diedBetween(Instant first, Instant second) {
        return new DeadLetterFilter(queue, fingerprint, type, key, orderingKey, first, second);
    }

    /** What is given, as the audit table shows it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("queue=").append(queue);
        append(text, "cause", fingerprint);
        append(text, "type", type);
        append(text, "key", key);
        append(text, "orderingKey", orderingKey);
        append(text, "from", from);
        append(text, "until", until);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(' ').append(name).append('=').append(value);
        }
    }
}

package io.acidq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Internal: no API. Checks of input, made before any SQL, so that invalid input never reaches the caller's transaction. */
public final class InputChecks {

    private static final String NAME_RULE =
            "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit";
    private static final int NAME_LENGTH = 100;
    private static final char SUBSCRIPTION_SEPARATOR = '/';

    static final int KEY_BYTES = 255;
    private static final Instant MAX_TIME = Instant.parse("9999-01-01T00:00:00Z");
    private static final Instant MIN_TIME = Instant.parse("1970-01-01T00:00:00Z");
    private static final Duration MAX_WAIT = Duration.ofDays(365);
    private static final Duration MAX_DELAY = Duration.ofDays(365L * 1000);
    private static final Duration MAX_PERIOD = Duration.ofDays(36_500);

    private InputChecks() {}

    /**
     * Returns the name of a queue if it is valid: 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit. The queue of a subscription has
     * the names of the topic and of the subscription with a '/' between them, together at most 100 characters.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String checkQueue(@Nullable String name) {
        if (name == null || !isQueueName(name)) { // no text is built for a valid name: each enqueue calls this
            throw new QueueMisuseException("queue name '" + name + "' is not allowed: " + NAME_RULE
                    + ", or topic/subscription with two such names");
        }
        return name;
    }

    private static boolean isQueueName(String name) {
        int slash = name.indexOf(SUBSCRIPTION_SEPARATOR);
        return slash < 0
                ? isName(name)
                : name.length() <= NAME_LENGTH && isName(name.substring(0, slash)) && isName(name.substring(slash + 1));
    }

    /**
     * Returns the name of a topic if it is valid: as a queue, without '/'.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String checkTopic(@Nullable String name) {
        if (name == null || !isName(name)) {
            throw new QueueMisuseException("topic name '" + name + "' is not allowed: " + NAME_RULE);
        }
        return name;
    }

    /**
     * Returns the name of the queue of a subscription.
     *
     * @throws QueueMisuseException when one of the names is not valid, or when they have more than 99 characters together
     */
    public static String subscriptionQueue(String topic, @Nullable String subscription) {
        checkTopic(topic);
        require(
                isName(subscription),
                "subscription name '" + subscription + "' of topic '" + topic + "' is not allowed: " + NAME_RULE);
        String queue = topic + SUBSCRIPTION_SEPARATOR + subscription;
        require(
                queue.length() <= NAME_LENGTH,
                "topic '" + topic + "' and subscription '" + subscription + "' have together more than "
                        + (NAME_LENGTH - 1) + " characters: use shorter names");
        return queue;
    }

    /** Returns whether the queue of this name belongs to a subscription. */
    public static boolean isSubscriptionQueue(String queue) {
        return queue.indexOf(SUBSCRIPTION_SEPARATOR) >= 0;
    }

    /**
     * Checks the name of a consumer of the inbox.
     *
     * @throws QueueMisuseException when it is not valid
     */
    public static void checkConsumer(@Nullable String name) {
        require(isName(name), "consumer name '" + name + "' is not allowed: " + NAME_RULE);
    }

    /** Returns whether a name of a queue or a consumer is valid. A loop instead of a Pattern, because each enqueue checks the name of its queue. */
    private static boolean isName(@Nullable String name) {
        if (name == null || name.isEmpty() || name.length() > NAME_LENGTH || !isLetterOrDigit(name.charAt(0))) {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetterOrDigit(c) && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /**
     * Returns a key of the inbox if it is valid.
     *
     * @throws MessageRejectedException when it is not
     */
    public static String checkInboxKey(String consumer, @Nullable String key) {
        if (key == null) {
            throw new MessageRejectedException("a key of consumer '" + consumer
                    + "' is null: give a value that identifies the message, the same for each repetition");
        }
        checkKey("key of consumer '" + consumer + "'", key);
        return key;
    }

    /**
     * Returns a retention of the inbox if it is valid.
     *
     * @throws QueueMisuseException when it is not
     */
    public static Duration checkInboxRetention(@Nullable Duration retention) {
        require(
                isWithin(retention, Duration.ofSeconds(1), MAX_PERIOD),
                "an inbox's retention must be 1 s to 36500 days, was " + retention);
        return Objects.requireNonNull(retention);
    }

    static void checkKey(String what, @Nullable String key) {
        checkKey(what, key, MessageRejectedException::new);
    }

    /** Checks a key that an operator searches for: a key that no message can have is a mistake, not an empty result. */
    public static void checkWantedKey(String what, @Nullable String key) {
        checkKey(what, key, QueueMisuseException::new);
    }

    private static void checkKey(String what, @Nullable String key, Function<String, AcidqException> exception) {
        if (key == null) {
            return;
        }
        checkUnicode(what, key, exception);
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > KEY_BYTES) {
            String start = key.length() <= 40 ? key : key.substring(0, 40) + "…";
            throw exception.apply("the " + what + " must have 1 to " + KEY_BYTES + " bytes of UTF-8, but this one has "
                    + bytes + ": '" + start + "'");
        }
    }

    private static void checkUnicode(String what, String text, Function<String, AcidqException> exception) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw exception.apply("the " + what
                    + " is not valid Unicode: it has half a surrogate pair, and would be stored as another text");
        }
    }

    /**
     * Checks an instant that the database is to store or compare: 1970-01-01 to 9999-01-01 (UTC), or null.
     *
     * @param what what it is, for the exception
     * @throws QueueMisuseException when it is outside these bounds
     */
    public static void checkTime(String what, @Nullable Instant time) {
        require(
                time == null || isStorable(time),
                "the " + what + " must lie between 1970-01-01 and 9999-01-01 (UTC), was " + time);
    }

    /**
     * Checks a text for the audit log: 1 to {@code max} characters that are not all blank.
     *
     * @throws QueueMisuseException when it is null, blank or longer
     */
    public static void checkText(String what, @Nullable String text, int max) {
        if (text == null || text.isBlank() || text.length() > max) {
            throw new QueueMisuseException("the " + what + " must have 1 to " + max
                    + " characters that are not all blank, but this one "
                    + (text == null ? "is null" : "has " + text.length()));
        }
    }

    /**
     * Checks how many rows a call may read or change: 1 to {@code max}.
     *
     * @param what what is limited, for the exception
     * @throws QueueMisuseException when the limit is outside these bounds
     */
    public static void checkLimit(String what, int limit, int max) {
        require(limit >= 1 && limit <= max, "the limit of " + what + " must be 1 to " + max + ", was " + limit);
    }

    static void checkPeriod(String what, @Nullable Duration time) {
        require(
                isWithin(time, Duration.ofMillis(1), MAX_PERIOD),
                "the " + what + " must be 1 ms to 36500 days, was " + time);
    }

    public static void checkHeader(@Nullable String name, @Nullable String value) {
        if (name == null || value == null) {
            throw new MessageRejectedException("the header '" + name + "' is null: leave it out, or give it a text");
        }
        checkUnicode("name of a header", name, MessageRejectedException::new);
        checkUnicode("header '" + name + "'", value, MessageRejectedException::new);
    }

    static void checkDue(@Nullable Duration delay, @Nullable Instant at) {
        if (delay != null && at != null) {
            throw new MessageRejectedException(
                    "the message has a delay and an instant at which it is due: give one of them");
        }
        if (delay != null && !isWithin(delay, Duration.ZERO, MAX_DELAY)) {
            throw new MessageRejectedException("the delay must be between zero and 1000 years, was " + delay);
        }
        if (at != null && !isStorable(at)) {
            throw new MessageRejectedException(
                    "the due time must lie between 1970-01-01 and 9999-01-01 (UTC), was " + at);
        }
    }

    static void checkExpiry(@Nullable Duration after, @Nullable Instant expiresAt, @Nullable Instant due) {
        if (after != null && expiresAt != null) {
            throw new MessageRejectedException("the message has both expiresAfter and expiresAt: give one of them");
        }
        if (after != null) {
            checkTimeToLive(after, MessageRejectedException::new);
        }
        if (expiresAt != null && !isStorable(expiresAt)) {
            throw new MessageRejectedException(
                    "expiresAt must lie between 1970-01-01 and 9999-01-01 (UTC), was " + expiresAt);
        }
        if (expiresAt != null && due != null && !expiresAt.isAfter(due)) {
            throw new MessageRejectedException("the message would expire at " + expiresAt
                    + ", before it is due at " + due
                    + ", and never run: set expiresAt after the due time, or use expiresAfter, which counts from it");
        }
    }

    /**
     * Checks the time to live that a queue gives to its messages: 1 ms to 1000 years.
     *
     * @throws QueueMisuseException when it is outside these bounds
     */
    public static void checkTimeToLive(Duration after) {
        checkTimeToLive(after, QueueMisuseException::new);
    }

    private static void checkTimeToLive(Duration after, Function<String, AcidqException> exception) {
        if (!isWithin(after, Duration.ofMillis(1), MAX_DELAY)) {
            throw exception.apply("expiresAfter must be 1 ms to 1000 years, was " + after);
        }
    }

    static void checkReceiptRetention(@Nullable Duration retention) {
        if (!isWithin(retention, Duration.ofSeconds(1), MAX_WAIT)) {
            throw new MessageRejectedException(
                    "a receipt must be kept for 1 second to " + MAX_WAIT.toDays() + " days, was " + retention);
        }
    }

    static void checkWait(String what, Duration wait, Duration min) {
        require(
                isWithin(wait, min, MAX_WAIT),
                what + " must be between " + min + " and " + MAX_WAIT.toDays() + " days, was " + wait);
    }

    private static boolean isStorable(Instant time) {
        return !time.isBefore(MIN_TIME) && !time.isAfter(MAX_TIME);
    }

    /** Returns whether a duration is set and within these bounds, both included. */
    public static boolean isWithin(@Nullable Duration value, Duration min, Duration max) {
        return value != null && value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    /** Throws a {@link QueueMisuseException} with this message if the condition does not hold. */
    public static void require(boolean holds, String message) {
        if (!holds) {
            throw new QueueMisuseException(message);
        }
    }
}

package io.acidq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Checks of input, made before any SQL, so that invalid input never reaches the caller's transaction. */
public final class Limits {

    static final int KEY_BYTES = 255;
    private static final Instant MAX_TIME = Instant.parse("9999-01-01T00:00:00Z");
    private static final Instant MIN_TIME = Instant.parse("1970-01-01T00:00:00Z");
    private static final Duration MAX_WAIT = Duration.ofDays(365);
    private static final Duration MAX_DELAY = Duration.ofDays(365L * 1000);
    private static final Duration MAX_PERIOD = Duration.ofDays(36_500);

    private Limits() {}

    /**
     * Checks the name of a consumer of the inbox.
     *
     * @throws QueueMisuseException when it is not valid
     */
    public static void checkConsumer(@Nullable String name) {
        if (!QueueNames.isValid(name)) {
            throw new QueueMisuseException("consumer name '" + name + "' is not allowed: " + QueueNames.RULE);
        }
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
     * Returns a window of the inbox if it is valid.
     *
     * @throws QueueMisuseException when it is not
     */
    public static Duration checkInboxWindow(@Nullable Duration window) {
        if (window == null || !isWithin(window, Duration.ofSeconds(1), MAX_PERIOD)) {
            throw new QueueMisuseException("an inbox's window must be 1 s to 36500 days, was " + window);
        }
        return window;
    }

    static void checkKey(String what, @Nullable String key) {
        String problem = key == null ? null : keyProblem(what, key);
        if (problem != null) {
            throw new MessageRejectedException(problem);
        }
    }

    /** Checks a key that an operator searches for: a key that no message can have is a mistake, not an empty result. */
    public static void checkWantedKey(String what, @Nullable String key) {
        String problem = key == null ? null : keyProblem(what, key);
        if (problem != null) {
            throw new QueueMisuseException(problem);
        }
    }

    public static void checkTime(String what, @Nullable Instant time) {
        if (time != null && !isStorable(time)) {
            throw new QueueMisuseException("the " + what + " must lie between 1970 and 9999, was " + time);
        }
    }

    /** Checks a text for the audit table. */
    public static void checkText(String what, @Nullable String text, int most) {
        if (text == null || text.isBlank() || text.length() > most) {
            throw new QueueMisuseException("the " + what + " must have 1 to " + most
                    + " characters that are not all blank, this one "
                    + (text == null ? "is null" : "has " + text.length()));
        }
    }

    public static void checkLimit(String what, int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new QueueMisuseException("the limit of " + what + " must be 1 to " + most + ", was " + limit);
        }
    }

    static void checkPeriod(String what, @Nullable Duration time) {
        if (!isWithin(time, Duration.ofMillis(1), MAX_PERIOD)) {
            throw new QueueMisuseException("the " + what + " must be 1 ms to 36500 days, was " + time);
        }
    }

    static void checkHeader(@Nullable String name, @Nullable String value) {
        if (name == null || value == null) {
            throw new MessageRejectedException("the header '" + name + "' is null: leave it out, or give it a text");
        }
        checkUnicode("name of a header", name);
        checkUnicode("header '" + name + "'", value);
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
            throw new MessageRejectedException("the due time must lie between 1970 and 9999, was " + at);
        }
    }

    static void checkWait(String what, Duration wait, Duration least) {
        if (!isWithin(wait, least, MAX_WAIT)) {
            throw new QueueMisuseException(
                    what + " must be between " + least + " and " + MAX_WAIT.toDays() + " days, was " + wait);
        }
    }

    private static @Nullable String keyProblem(String what, String key) {
        if (!isUnicode(key)) {
            return unicodeProblem(what);
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > KEY_BYTES) {
            String start = key.length() <= 40 ? key : key.substring(0, 40) + "…";
            return "the " + what + " must have 1 to " + KEY_BYTES + " bytes of UTF-8, this one has " + bytes + ": '"
                    + start + "'";
        }
        return null;
    }

    private static void checkUnicode(String what, String text) {
        if (!isUnicode(text)) {
            throw new MessageRejectedException(unicodeProblem(what));
        }
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static String unicodeProblem(String what) {
        return "the " + what
                + " is not valid Unicode: it has half a surrogate pair, and would be stored as another text";
    }

    private static boolean isStorable(Instant time) {
        return !time.isBefore(MIN_TIME) && !time.isAfter(MAX_TIME);
    }

    private static boolean isWithin(@Nullable Duration value, Duration min, Duration max) {
        return value != null && value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }
}

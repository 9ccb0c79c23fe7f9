package io.acidq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is checked before any SQL, so that bad input never reaches the caller's transaction. */
public final class Limits {

    static final int KEY_BYTES = 255;
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(36_500);
    private static final Duration LONGEST = Duration.ofDays(365L * 1000);

    private Limits() {}

    static void checkKey(String what, @Nullable String key) {
        String problem = key == null ? null : problemOfKey(what, key);
        if (problem != null) {
            throw new MessageRejectedException(problem);
        }
    }

    /** What an operator looks for: a key that no message can have is a mistake, and not an empty answer. */
    public static void checkWantedKey(String what, @Nullable String key) {
        String problem = key == null ? null : problemOfKey(what, key);
        if (problem != null) {
            throw new QueueMisuseException(problem);
        }
    }

    public static void checkTime(String what, @Nullable Instant time) {
        if (time != null && (time.isBefore(EARLIEST) || time.isAfter(LATEST))) {
            throw new QueueMisuseException("the " + what + " must lie between 1970 and 9999, was " + time);
        }
    }

    /** What goes into the audit table. */
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

    public static void checkRate(int perSecond, int most) {
        if (perSecond < 0 || perSecond > most) {
            throw new QueueMisuseException("the rate of a bulk action must be 1 to " + most
                    + " letters a second, or 0 for no rate, was " + perSecond);
        }
    }

    static void checkPeriod(String what, @Nullable Duration time) {
        if (time == null || time.compareTo(SHORTEST_PERIOD) < 0 || time.compareTo(LONGEST_PERIOD) > 0) {
            throw new QueueMisuseException("the " + what + " must be 1 ms to 36500 days, was " + time);
        }
    }

    private static @Nullable String problemOfKey(String what, String key) {
        if (!isText(key)) {
            return noText(what);
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > KEY_BYTES) {
            return "the " + what + " must have 1 to " + KEY_BYTES + " bytes of UTF-8, this one has " + bytes + ": '"
                    + shortened(key) + "'";
        }
        return null;
    }

    static void checkHeader(@Nullable String name, @Nullable String value) {
        if (name == null || value == null) {
            throw new MessageRejectedException("the header '" + name + "' is null: leave it out, or give it a text");
        }
        checkUnicode("name of a header", name);
        checkUnicode("header '" + name + "'", value);
    }

    private static void checkUnicode(String what, String text) {
        if (!isText(text)) {
            throw new MessageRejectedException(noText(what));
        }
    }

    private static boolean isText(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static String noText(String what) {
        return "the " + what + " is no Unicode text, it has half a surrogate pair: it would be stored as another text";
    }

    static void checkDue(@Nullable Duration delay, @Nullable Instant at) {
        if (delay != null && at != null) {
            throw new MessageRejectedException("give a delay or an instant to be due at, not both");
        }
        if (delay != null && (delay.isNegative() || delay.compareTo(LONGEST) > 0)) {
            throw new MessageRejectedException("the delay must be between zero and 1000 years, was " + delay);
        }
        if (at != null && (at.isBefore(EARLIEST) || at.isAfter(LATEST))) {
            throw new MessageRejectedException("the due time must lie between 1970 and 9999, was " + at);
        }
    }

    static void checkWait(String what, Duration wait, Duration least) {
        if (wait.compareTo(least) < 0 || wait.compareTo(LONGEST_WAIT) > 0) {
            throw new QueueMisuseException(
                    what + " must be between " + least + " and " + LONGEST_WAIT.toDays() + " days, was " + wait);
        }
    }

    private static String shortened(String key) {
        return key.length() <= 40 ? key : key.substring(0, 40) + "…";
    }
}

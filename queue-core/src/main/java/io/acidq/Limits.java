package io.acidq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is checked before any SQL, so that bad input never reaches the caller's transaction. */
final class Limits {

    static final int KEY_BYTES = 255;
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Duration LONGEST = Duration.ofDays(365L * 1000);

    private Limits() {}

    static void checkKey(String what, @Nullable String key) {
        if (key == null) {
            return;
        }
        checkText(what, key);
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > KEY_BYTES) {
            throw new MessageRejectedException("the " + what + " must have 1 to " + KEY_BYTES
                    + " bytes of UTF-8, this one has " + bytes + ": '" + shortened(key) + "'");
        }
    }

    static void checkHeader(@Nullable String name, @Nullable String value) {
        if (name == null || value == null) {
            throw new MessageRejectedException("the header '" + name + "' is null: leave it out, or give it a text");
        }
        checkText("name of a header", name);
        checkText("header '" + name + "'", value);
    }

    private static void checkText(String what, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new MessageRejectedException("the " + what
                    + " is no Unicode text, it has half a surrogate pair: it would be stored as another text");
        }
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

    private static String shortened(String key) {
        return key.length() <= 40 ? key : key.substring(0, 40) + "…";
    }
}

package io.acidq.dashboard.api;

import io.acidq.QueueMisuseException;
import io.acidq.admin.MessagePosition;
import io.acidq.dashboard.route.RequestException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.function.Function;

/**
 * Places in lists, as texts that are opaque to users. They give no rights and are not signed. Each belongs to a list and its filter, and is refused with another one.
 */
final class Cursor {

    private static final String SEPARATOR = "|";

    private Cursor() {}

    /**
     * A row of a list that is sorted by time and number.
     *
     * @param at  the time of the row
     * @param uid the unique number of the row
     */
    record TimeAndUid(Instant at, UUID uid) {

        private static TimeAndUid parse(String text) {
            int blank = text.indexOf(' ');
            if (blank < 0) {
                throw new IllegalArgumentException(text);
            }
            return new TimeAndUid(Instant.parse(text.substring(0, blank)), UUID.fromString(text.substring(blank + 1)));
        }

        @Override
        public String toString() {
            return at + " " + uid;
        }
    }

    /**
     * Returns the text of a place.
     *
     * @param list identifies the list and its filter
     */
    static String toText(Object place, String list) {
        String text = Integer.toHexString(list.hashCode()) + SEPARATOR + place;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static TimeAndUid timeAndUid(String text, String list) {
        return parse(text, list, TimeAndUid::parse);
    }

    static MessagePosition position(String text, String list) {
        return parse(text, list, MessagePosition::parse);
    }

    static long number(String text, String list) {
        return parse(text, list, Long::valueOf);
    }

    private static <T> T parse(String text, String list, Function<String, T> read) {
        String begin = Integer.toHexString(list.hashCode()) + SEPARATOR;
        try {
            String place = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            if (place.startsWith(begin)) {
                return read.apply(place.substring(begin.length()));
            }
        } catch (IllegalArgumentException | DateTimeException | QueueMisuseException e) {
            // refused below
        }
        throw RequestException.invalid(
                "the parameter 'after' is no cursor of this list: take it from the answer with the same filter");
    }
}

package io.acidq.dashboard.api;

import io.acidq.dashboard.route.RequestException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

/**
 * The place of a row in a list that is sorted by time and number. Its text is opaque to users. It gives no rights and is not signed.
 *
 * @param at  the time of the row
 * @param uid the unique number of the row
 */
record Cursor(Instant at, UUID uid) {

    private static final String SEPARATOR = " ";

    /**
     * Returns the text of a cursor.
     *
     * @param list identifies the list and its filter
     */
    String toText(String list) {
        String text = String.join(SEPARATOR, Integer.toHexString(list.hashCode()), at.toString(), uid.toString());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a cursor of the same list and filter. */
    static Cursor parse(String text, String list) {
        try {
            String[] parts =
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(SEPARATOR, -1);
            if (parts.length == 3 && parts[0].equals(Integer.toHexString(list.hashCode()))) {
                return new Cursor(Instant.parse(parts[1]), UUID.fromString(parts[2]));
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            // refused below
        }
        throw RequestException.invalid(
                "the parameter 'after' is no cursor of this list: take it from the answer with the same filter");
    }
}

package io.acidq.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.MessageRejectedException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Encodes headers as one text in the form encoding of the web ({@code a=1&b=2}): ASCII that people can read in the table. */
public final class Headers {

    private static final String DAMAGED =
            "the headers cannot be read as name=value&…: discard the message, or correct its column headers and replay it";

    private static final int MAX_CHARACTERS = 8000;

    private Headers() {}

    /**
     * Encodes headers.
     *
     * @throws MessageRejectedException when the text would have more than 8000 characters
     */
    public static String encode(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return "";
        }
        String text = headers.entrySet().stream()
                .map(e -> URLEncoder.encode(e.getKey(), UTF_8) + '=' + URLEncoder.encode(e.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        if (text.length() > MAX_CHARACTERS) {
            throw new MessageRejectedException("the headers take " + text.length() + " characters encoded, at most "
                    + MAX_CHARACTERS + " are allowed: shorten them, or put large values into the payload");
        }
        return text;
    }

    /**
     * Decodes a text of {@link #encode}.
     *
     * @throws UndecodableException when the text is damaged
     */
    public static Map<String, String> decode(String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!text.isEmpty()) {
            for (String pair : text.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 0) {
                    throw new UndecodableException(DAMAGED);
                }
                headers.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return Map.copyOf(headers);
    }

    /** Decodes headers for operators. Unlike {@link #decode}, returns none when the text is damaged. */
    public static Map<String, String> readable(String text) {
        try {
            return decode(text);
        } catch (UndecodableException e) {
            return Map.of();
        }
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part, UTF_8);
        } catch (IllegalArgumentException e) {
            throw new UndecodableException(DAMAGED, e);
        }
    }
}

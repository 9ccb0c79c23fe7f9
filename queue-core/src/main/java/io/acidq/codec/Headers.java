package io.acidq.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.MessageRejectedException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Headers as one text: the form encoding of the web ({@code a=1&b=2}), plain ASCII that a person can read in the table. */
public final class Headers {

    private static final int CHARACTERS = 8000;

    private Headers() {}

    public static String encode(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return "";
        }
        String text = headers.entrySet().stream()
                .map(e -> URLEncoder.encode(e.getKey(), UTF_8) + '=' + URLEncoder.encode(e.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        if (text.length() > CHARACTERS) {
            throw new MessageRejectedException("the headers take " + text.length() + " characters encoded, at most "
                    + CHARACTERS + " are allowed");
        }
        return text;
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws UndecodableException when it is anything else
     */
    public static Map<String, String> decode(String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!text.isEmpty()) {
            for (String pair : text.split("&", -1)) {
                int is = pair.indexOf('=');
                if (is < 0) {
                    throw new UndecodableException("the headers do not read as name=value&…");
                }
                headers.put(decoded(pair.substring(0, is)), decoded(pair.substring(is + 1)));
            }
        }
        return Map.copyOf(headers);
    }

    /** The same for those who only look on: empty when the text is damaged. */
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
            throw new UndecodableException("the headers do not read as name=value&…", e);
        }
    }
}

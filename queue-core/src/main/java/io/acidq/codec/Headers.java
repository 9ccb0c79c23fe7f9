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
        String text = headers.entrySet().stream()
                .map(e -> URLEncoder.encode(e.getKey(), UTF_8) + '=' + URLEncoder.encode(e.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        if (text.length() > CHARACTERS) {
            throw new MessageRejectedException("the headers take " + text.length() + " characters encoded, at most "
                    + CHARACTERS + " are allowed");
        }
        return text;
    }

    public static Map<String, String> decode(String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!text.isEmpty()) {
            for (String pair : text.split("&", -1)) {
                int is = pair.indexOf('=');
                headers.put(
                        URLDecoder.decode(pair.substring(0, is), UTF_8),
                        URLDecoder.decode(pair.substring(is + 1), UTF_8));
            }
        }
        return Map.copyOf(headers);
    }
}

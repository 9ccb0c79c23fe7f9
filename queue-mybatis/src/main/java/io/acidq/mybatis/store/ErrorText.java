package io.acidq.mybatis.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The error of a dead letter, limited in length, with its cause: a hash of its first line. A longer text loses its middle: the outermost exception
 * is at its beginning, the root cause at its end. The hash ignores the digits of that line, which are mostly ids and times.
 */
record ErrorText(String text, byte[] cause) {

    private static final int CHARS = 100_000;
    private static final String LEFT_OUT = " … ";
    private static final int BYTES = 8;

    static ErrorText of(String error) {
        return of(error, CHARS);
    }

    /** Returns an error of at most {@code max} characters, or fewer if the column holds fewer. */
    static ErrorText of(String error, int max) {
        int limit = Math.min(max, CHARS);
        String text = error.length() <= limit ? error : withoutMiddle(error, limit);
        String first = firstLine(text).replaceAll("\\d+", "");
        return new ErrorText(text, Arrays.copyOf(sha256(first.getBytes(StandardCharsets.UTF_8)), BYTES));
    }

    private static String withoutMiddle(String text, int limit) {
        int lastChars = limit / 5;
        int firstChars = limit - lastChars - LEFT_OUT.length();
        return text.substring(0, firstChars) + LEFT_OUT + text.substring(text.length() - lastChars);
    }

    static String firstLine(String text) {
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    /** Returns a cause as operators see it, in hexadecimal. */
    static String hex(byte[] cause) {
        return HexFormat.of().withUpperCase().formatHex(cause);
    }

    /** Returns the SHA-256 of a payload in hexadecimal. */
    static String sha256Hex(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

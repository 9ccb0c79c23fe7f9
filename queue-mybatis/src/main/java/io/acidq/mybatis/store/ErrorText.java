package io.acidq.mybatis.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The cause of a dead letter, shortened to what its column holds, with a fingerprint that is equal for equal causes: numbers in the
 * first line are mostly ids and times.
 */
record ErrorText(String text, byte[] fingerprint) {

    private static final int CHARS = 100_000;
    private static final int BYTES = 8;

    static ErrorText of(String cause) {
        String text = cause.length() <= CHARS ? cause : cause.substring(0, CHARS - 1) + "…";
        String first = firstLine(text).replaceAll("\\d+", "");
        return new ErrorText(text, Arrays.copyOf(sha256(first.getBytes(StandardCharsets.UTF_8)), BYTES));
    }

    static String firstLine(String text) {
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    /** A fingerprint as operators see it. */
    static String hex(byte[] fingerprint) {
        return HexFormat.of().withUpperCase().formatHex(fingerprint);
    }

    /** What tells one payload from another. */
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

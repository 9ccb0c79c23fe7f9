package io.acidq.mybatis.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The cause of a dead letter, shortened to what its column holds, with a fingerprint that is equal for equal causes: numbers in the
 * first line are mostly ids and times.
 */
record Mark(String text, byte[] fingerprint) {

    private static final int CHARS = 100_000;
    private static final int BYTES = 8;

    static Mark of(String cause) {
        String text = cause.length() <= CHARS ? cause : cause.substring(0, CHARS - 1) + "…";
        int end = text.indexOf('\n');
        String first = (end < 0 ? text : text.substring(0, end)).strip().replaceAll("\\d+", "");
        return new Mark(text, Arrays.copyOf(sha256(first), BYTES));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

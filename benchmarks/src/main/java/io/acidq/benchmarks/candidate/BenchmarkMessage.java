package io.acidq.benchmarks.candidate;

import org.jspecify.annotations.Nullable;

/**
 * A message to send. What the handler gets of it is {@link #text}, from which its id can be read: a candidate needs to carry nothing else.
 *
 * @param id          unique in its run, from 0
 * @param text        the payload, ASCII: the id in {@value #ID_DIGITS} digits, and filling
 * @param queue       0 to below {@link CandidateDatabase#queues}
 * @param orderingKey null for none
 * @param messageKey  null for none
 */
public record BenchmarkMessage(
        long id,
        String text,
        int queue,
        @Nullable String orderingKey,
        @Nullable String messageKey) {

    static final int ID_DIGITS = 12;

    public BenchmarkMessage {
        if (idOf(text) != id) {
            throw new IllegalArgumentException("letter " + id + " has the text of letter " + idOf(text));
        }
    }

    /**
     * A plain letter.
     *
     * @param bytes of the payload, at least {@value #ID_DIGITS}
     */
    public static BenchmarkMessage of(long id, int bytes) {
        String digits = Long.toString(id);
        String text = "0".repeat(ID_DIGITS - digits.length()) + digits + "x".repeat(bytes - ID_DIGITS);
        return new BenchmarkMessage(id, text, 0, null, null);
    }

    /** The id of the letter with this text. */
    public static long idOf(String text) {
        return Long.parseLong(text, 0, ID_DIGITS, 10);
    }

    public BenchmarkMessage inQueue(int value) {
        return new BenchmarkMessage(id, text, value, orderingKey, messageKey);
    }

    public BenchmarkMessage withOrderingKey(@Nullable String value) {
        return new BenchmarkMessage(id, text, queue, value, messageKey);
    }

    public BenchmarkMessage withMessageKey(String value) {
        return new BenchmarkMessage(id, text, queue, orderingKey, value);
    }
}

package io.acidq.benchmarks.candidate;

import org.jspecify.annotations.Nullable;

/**
 * A message to send. Its handler receives only {@link #text}, which contains the id.
 *
 * @param id    unique in its run, from 0
 * @param text  the payload in ASCII: the id in {@value #ID_DIGITS} digits, and padding
 * @param queue from 0 to below {@link CandidateDatabase#queues}
 * @param rank  1 for a message that goes before others, -1 for one that goes after them, 0 for neither
 */
public record BenchmarkMessage(
        long id,
        String text,
        int queue,
        @Nullable String orderingKey,
        @Nullable String messageKey,
        int rank) {

    static final int ID_DIGITS = 12;

    public BenchmarkMessage {
        if (idOf(text) != id) {
            throw new IllegalArgumentException("message " + id + " has the text of message " + idOf(text));
        }
    }

    /**
     * A message without keys.
     *
     * @param bytes size of the payload, at least {@value #ID_DIGITS}
     */
    public static BenchmarkMessage of(long id, int bytes) {
        String digits = Long.toString(id);
        String text = "0".repeat(ID_DIGITS - digits.length()) + digits + "x".repeat(bytes - ID_DIGITS);
        return new BenchmarkMessage(id, text, 0, null, null, 0);
    }

    /** The id in a text. */
    public static long idOf(String text) {
        return Long.parseLong(text, 0, ID_DIGITS, 10);
    }

    public BenchmarkMessage inQueue(int value) {
        return new BenchmarkMessage(id, text, value, orderingKey, messageKey, rank);
    }

    public BenchmarkMessage withOrderingKey(@Nullable String value) {
        return new BenchmarkMessage(id, text, queue, value, messageKey, rank);
    }

    public BenchmarkMessage withMessageKey(String value) {
        return new BenchmarkMessage(id, text, queue, orderingKey, value, rank);
    }

    public BenchmarkMessage withRank(int value) {
        return new BenchmarkMessage(id, text, queue, orderingKey, messageKey, value);
    }
}

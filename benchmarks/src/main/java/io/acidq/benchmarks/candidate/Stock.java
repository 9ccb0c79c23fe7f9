package io.acidq.benchmarks.candidate;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * A backlog to build.
 *
 * @param count  letters, of the ids from 0
 * @param letter makes the one with this id; may be called by several threads
 */
public record Stock(long count, LongFunction<Letter> letter) {

    /** Those with the ids from {@code first} on, at most so many. */
    public List<Letter> part(long first, int most) {
        return LongStream.range(first, Math.min(count, first + most))
                .mapToObj(letter)
                .toList();
    }
}

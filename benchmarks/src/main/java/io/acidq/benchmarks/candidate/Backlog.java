package io.acidq.benchmarks.candidate;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * A backlog to build.
 *
 * @param count  letters
 * @param messageFactory makes each, from 0 on; may be called by several threads
 */
public record Backlog(long count, LongFunction<BenchmarkMessage> messageFactory) {

    /** Those from {@code first} on, at most so many. */
    public List<BenchmarkMessage> part(long first, int most) {
        return LongStream.range(first, Math.min(count, first + most))
                .mapToObj(messageFactory)
                .toList();
    }
}

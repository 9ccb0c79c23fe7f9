package io.acidq.benchmarks.candidate;

import java.util.List;

/**
 * What one transaction sends.
 *
 * @param messages  a message each
 * @param business whether the transaction writes a business row for each letter too ({@link BusinessRows#insert}), before its message
 */
public record SendBatch(List<BenchmarkMessage> messages, boolean business) {

    public SendBatch {
        messages = List.copyOf(messages);
    }
}

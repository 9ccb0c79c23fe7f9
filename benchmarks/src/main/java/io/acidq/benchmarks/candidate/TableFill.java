package io.acidq.benchmarks.candidate;

/**
 * Rows that lie about in the tables of a queue that has been in use for long.
 *
 * @param archived messages that are done
 * @param scheduled messages that are due in a day
 * @param dead      messages that have failed for good
 */
public record TableFill(long archived, long scheduled, long dead) {}

package io.acidq.benchmarks.measure;

/**
 * What became of the messages of one run, told after its workers have stopped. A {@link MessageAudit} makes it, message by message.
 *
 * @param placed   messages that were committed
 * @param effects  rows that handlers committed
 * @param left     messages that the candidate still has
 * @param lost     messages that are neither done nor there any more
 * @param doubled  effects too many, and messages that are there too often, or are done and would be done again
 * @param finished whether all was done that was to be done
 */
public record RunAudit(long placed, long effects, long left, long lost, long doubled, boolean finished) {}

package io.acidq.examples.orders;

import org.apache.ibatis.annotations.Mapper;

/** Counts rows of the application's tables and, for a queue, messages that wait or are dead letters. Each method is one statement, so one snapshot. */
@Mapper
interface OrderCountsMapper {

    OrderCounts count(String queue);

    /** Returns how many orders are shipped or dead letters. */
    long settled(String queue);

    /** Whether a message of the queue is still to be processed. */
    boolean isAnyWaiting(String queue);
}

package io.acidq.examples.orders;

import org.apache.ibatis.annotations.Mapper;

/** Counts rows in the application's tables, and in the queue's tables those that wait or are dead. */
@Mapper
interface OrderCountsMapper {

    long orders();

    long shipments();

    long lost(String queue);

    long duplicated();

    long outOfOrder();

    long dead(String queue);

    /** Whether a message of the queue is still to be processed. */
    boolean isAnyWaiting(String queue);

    /** From the first order to the last shipment. */
    long microsFromFirstToLast();
}

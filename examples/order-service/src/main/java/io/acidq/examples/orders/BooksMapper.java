package io.acidq.examples.orders;

import org.apache.ibatis.annotations.Mapper;

/** Counts in the application's tables and, because only they tell what waits or is dead, in the queue's. */
@Mapper
interface BooksMapper {

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

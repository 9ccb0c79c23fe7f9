package io.acidq.examples.orders;

import org.apache.ibatis.annotations.Mapper;

/** The tables {@code customers} and {@code orders}. */
@Mapper
interface OrderMapper {

    /** Inserts the next order of its customer. */
    default Order insert(NewOrder order) {
        countOrderOf(order.customerId());
        int seq = (int) lastId();
        insertOrder(order, seq);
        return new Order(lastId(), order.customerId(), seq, order.amount());
    }

    /**
     * Locks the customer's row until the transaction ends: orders that two transactions place for one customer at the same
     * time get a defined order by that, and so do their messages.
     */
    void countOrderOf(int customerId);

    void insertOrder(NewOrder order, int seq);

    /** What the statement before it on this connection counted or numbered. */
    long lastId();
}

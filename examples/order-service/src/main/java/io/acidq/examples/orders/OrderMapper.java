package io.acidq.examples.orders;

import java.math.BigDecimal;
import org.apache.ibatis.annotations.Mapper;

/** The tables {@code customers}, {@code orders} and {@code shipments}. */
@Mapper
interface OrderMapper {

    /** Inserts the next order of a customer. */
    default Order insert(int customerId, BigDecimal amount) {
        incrementOrderCount(customerId);
        int seq = (int) lastId();
        insertOrder(customerId, seq, amount);
        return new Order(lastId(), customerId, seq, amount);
    }

    /**
     * Locks the customer's row until the transaction ends: this orders the transactions that place orders for one customer at the same time,
     * and so their messages.
     */
    void incrementOrderCount(int customerId);

    void insertOrder(int customerId, int seq, BigDecimal amount);

    /** Returns the number that the previous statement of this connection counted or generated. */
    long lastId();

    /** Records that an order was shipped, by which node of the queue and in which attempt. */
    void insertShipment(long orderId, int node, int attempt);
}

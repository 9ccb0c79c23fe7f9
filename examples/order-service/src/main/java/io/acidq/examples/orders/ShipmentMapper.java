package io.acidq.examples.orders;

import org.apache.ibatis.annotations.Mapper;

/** The table {@code shipments}. */
@Mapper
interface ShipmentMapper {

    /** Records that an order was shipped, by which node and under which claim. */
    void insert(long orderId, int node, int claimNo);
}

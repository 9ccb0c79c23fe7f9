package io.acidq.examples.adoption;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

/** The table {@code shipments}. */
@Mapper
interface ShipmentMapper {

    @Insert("INSERT INTO shipments (order_id) VALUES (#{orderId})")
    void insert(long orderId);

    @Select("SELECT COUNT(*) FROM shipments WHERE order_id = #{orderId}")
    int count(long orderId);
}

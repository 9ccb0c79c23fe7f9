package io.acidq.boot.shop;

import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

/** Found by the application's own scan for mappers. */
@Mapper
public interface ShopMapper {

    @Insert("CREATE TABLE orders (id BIGINT PRIMARY KEY, price VARCHAR(50) NOT NULL)")
    void createOrders();

    @Insert("CREATE TABLE shipment (order_id BIGINT, price VARCHAR(50) NOT NULL, attempt INT NOT NULL)")
    void createShipments();

    @Insert("INSERT INTO orders VALUES (#{id}, #{price})")
    void insertOrder(Order order);

    @Insert("INSERT INTO shipment VALUES (#{order.id}, #{order.price}, #{attempt})")
    void insertShipment(@Param("order") Order order, @Param("attempt") int attempt);

    @Select("SELECT id, price FROM orders ORDER BY id")
    List<Order> orders();

    @Select("SELECT order_id AS id, price FROM shipment ORDER BY order_id")
    List<Order> shipped();

    @Select("SELECT attempt FROM shipment ORDER BY order_id")
    List<Integer> attempts();
}

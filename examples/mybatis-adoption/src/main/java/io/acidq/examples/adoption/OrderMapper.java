package io.acidq.examples.adoption;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

/** The table {@code orders}. */
@Mapper
interface OrderMapper {

    @Insert("INSERT INTO orders (id, customer, amount) VALUES (#{id}, #{customer}, #{amount})")
    void insert(Order order);

    @Select("SELECT COUNT(*) FROM orders WHERE id = #{id}")
    int count(long id);
}

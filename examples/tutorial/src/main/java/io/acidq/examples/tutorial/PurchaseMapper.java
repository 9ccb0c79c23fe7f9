package io.acidq.examples.tutorial;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

// snippet:mapper
/** The table {@code purchase}. */
@Mapper
interface PurchaseMapper {

    @Insert("INSERT INTO purchase (number, customer, cents) VALUES (#{number}, #{customer}, #{cents})")
    void insert(Purchase purchase);

    @Select("SELECT COUNT(*) FROM purchase")
    long count();

    /** The points that all purchases together are worth. */
    @Select("SELECT COALESCE(SUM(cents DIV 100), 0) FROM purchase")
    long worth();
}
// /snippet

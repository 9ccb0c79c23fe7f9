package io.acidq.examples.mybatis;

import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

public interface StockMapper {

    @Insert("CREATE TABLE stock (article VARCHAR(50) PRIMARY KEY, note INT NOT NULL)")
    void createStock();

    @Insert("CREATE TABLE seen (note INT NOT NULL, stocked INT NOT NULL)")
    void createSeen();

    @Insert("INSERT INTO stock VALUES (#{article}, #{note})")
    void insertStock(@Param("article") String article, @Param("note") int note);

    @Select("SELECT COUNT(*) FROM stock")
    int countStock();

    @Insert("INSERT INTO seen VALUES (#{note}, #{stocked})")
    void insertSeen(@Param("note") int note, @Param("stocked") int stocked);

    @Select("SELECT DISTINCT note FROM stock ORDER BY note")
    List<Integer> notes();

    @Select("SELECT note FROM seen ORDER BY note")
    List<Integer> seen();
}

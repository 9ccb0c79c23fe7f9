package io.acidq.examples.tutorial;

import org.apache.ibatis.annotations.Mapper;

/** The tables {@code account} and {@code reminded}; its SQL is in {@code AccountMapper.xml}. */
@Mapper
interface AccountMapper {

    /** Adding is the kind of effect that shows each repetition. */
    void addPoints(int customer, int points);

    void remind(int customer);

    /** The points of all customers together. */
    long points();

    long reminded();
}

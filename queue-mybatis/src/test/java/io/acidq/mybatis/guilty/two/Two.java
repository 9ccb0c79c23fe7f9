package io.acidq.mybatis.guilty.two;

import io.acidq.mybatis.guilty.one.One;

/** The other part of a cycle. */
public class Two {
    public One[] ones = {};
}

package io.acidq.guilty.two;

import io.acidq.guilty.one.One;

public class Two {
    public One[] ones = {};
}

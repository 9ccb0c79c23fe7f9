package io.acidq.guilty.one;

import io.acidq.guilty.two.Two;

public class One {
    public Two two = new Two();
}

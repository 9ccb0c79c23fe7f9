package io.acidq.dashboard.guilty.one;

import io.acidq.dashboard.guilty.two.Two;

/** Half of a cycle of packages. */
public final class One {

    Two two;
}

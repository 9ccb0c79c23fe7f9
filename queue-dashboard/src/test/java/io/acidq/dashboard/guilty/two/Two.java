package io.acidq.dashboard.guilty.two;

import io.acidq.dashboard.guilty.one.One;

/** Half of a cycle of packages. */
public final class Two {

    One one;
}

package io.acidq.mybatis.session;

import java.util.function.LongSupplier;

/** Short transactions whose kept connections are given back when a test's clock says so, and a call comes. */
public final class Standstill {

    private Standstill() {}

    public static ShortTransactions over(Sessions sessions, LongSupplier nanoTime) {
        return new ShortTransactions(sessions, new IdleConnections(nanoTime, false));
    }
}

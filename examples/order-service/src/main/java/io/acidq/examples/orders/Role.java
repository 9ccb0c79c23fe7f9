package io.acidq.examples.orders;

import java.util.Locale;

/** What a process does. */
enum Role {
    /** Places orders, ships them, reports, and ends. */
    ALL,
    /** Places orders and ends. */
    PRODUCER,
    /** Ships until it is told to stop. */
    WORKER,
    /** Counts what is in the tables and ends. */
    REPORT;

    boolean places() {
        return this == ALL || this == PRODUCER;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.acidq.doctor;

import java.util.Locale;

/** What is examined, in this order. */
public enum Check {
    /** Whether the database answers. Without it nothing else is examined. */
    CONNECTION,
    /** The tables and their version. */
    SCHEMA,
    /** At which level claims run. */
    ISOLATION,
    /** What the server does with SKIP LOCKED and row locks. */
    LOCKS,
    /** The server's clock beside this process'. */
    CLOCK,
    /** Settings of the server on which promises rest. */
    SERVER,
    /** Options of the driver in the JDBC URL. */
    DRIVER,
    /** Transactions that have been open for long. */
    TRANSACTIONS,
    /** Whether the nodes that count as living beat. */
    NODES,
    /** Queues with messages that no living node serves. */
    LISTENERS,
    /** The connection pool beside what the workers need. */
    POOL;

    /** As it is written in reports, whatever the locale. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

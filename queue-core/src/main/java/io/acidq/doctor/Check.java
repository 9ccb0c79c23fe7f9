package io.acidq.doctor;

import java.util.Locale;

/** The checks of the doctor, in the order in which they are made. */
public enum Check {
    /** Whether the database answers. If not, no other check is made. */
    CONNECTION,
    /** The tables and their version. */
    SCHEMA,
    /** The isolation level of claims. */
    ISOLATION,
    /** How the server handles SKIP LOCKED and row locks. */
    LOCKS,
    /** The clock of the server, compared with the clock of this process. */
    CLOCK,
    /** Settings of the server on which guarantees depend. */
    SERVER,
    /** Options of the driver in the JDBC URL. */
    DRIVER,
    /** Transactions that have been open for long. */
    TRANSACTIONS,
    /** Whether the nodes that are registered as alive write heartbeats. */
    NODES,
    /** Whether the queues with due messages have a listener on a living node, and scheduled messages are moved into their lanes when they are due. */
    LISTENERS,
    /** Whether the ticks of recurring messages are enqueued when they are due. */
    RECURRING,
    /** The size of the connection pool, compared with the need of the workers. */
    POOL;

    /** The name in reports, the same in every locale. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.acidq.benchmarks.candidate;

import java.sql.Connection;

/**
 * The work of a handler for one message: inserts the effect, and whatever else the workload needs. It records the time of the call, so a candidate
 * calls it as the first step of the handler. Thread-safe.
 */
public interface HandlerWork {

    /**
     * Runs in the open transaction of the connection.
     *
     * @param text the payload as it was sent
     * @throws Exception if the handler fails; the candidate rolls back and retries
     */
    void run(Connection connection, String text) throws Exception;

    /** Runs in a transaction of its own and commits, for a candidate whose handler has no transaction. */
    void run(String text) throws Exception;
}

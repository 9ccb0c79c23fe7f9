package io.acidq.benchmarks.candidate;

import java.sql.Connection;

/**
 * What a handler does with one message: inserts its effect, and whatever the workload wants besides. It notes when it was called, so nothing
 * should come before the call that the candidate's users would do after the start of their handler. Thread-safe.
 */
public interface HandlerWork {

    /**
     * In the transaction that is open on this connection.
     *
     * @param text the payload as it was sent
     * @throws Exception the handler has failed: the candidate shall roll back and try again as it always does
     */
    void run(Connection connection, String text) throws Exception;

    /** For a candidate that gives its handler no transaction: in one of its own, which is committed when this returns. */
    void run(String text) throws Exception;
}

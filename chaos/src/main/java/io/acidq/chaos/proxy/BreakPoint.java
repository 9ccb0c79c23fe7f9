package io.acidq.chaos.proxy;

/** Where in a transaction a connection breaks. */
public enum BreakPoint {
    /** Half of a statement has reached the server. */
    IN_STATEMENT,
    /** The client has sent COMMIT, and it has not reached the server. */
    BEFORE_COMMIT,
    /** The server has committed, and its answer has not reached the client. */
    AFTER_COMMIT
}

package io.acidq.config;

/** Whether a handler runs in the transaction that acknowledges its message. */
public enum HandlerMode {
    /** In one transaction with the acknowledgement: the effects in this database happen exactly once. */
    TRANSACTIONAL,
    /**
     * Without a transaction: for handlers whose work lies outside this database (an HTTP call, a mail). The acknowledgement is a transaction of
     * its own after the handler has returned. Effects happen at least once: make them repeatable, for instance by passing the message's id on
     * as the key of the request.
     */
    EXTERNAL
}

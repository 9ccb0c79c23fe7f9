package io.acidq.config;

/** Whether a handler runs in the transaction that acknowledges its message. */
public enum HandlerMode {
    /** The handler runs in one transaction with the acknowledgement: its effects in this database happen exactly once. */
    TRANSACTIONAL,
    /**
     * The handler runs without a transaction, for work outside this database (an HTTP call, a mail). The message is acknowledged in a separate
     * transaction after the handler returned. Effects happen at least once: make them idempotent, for example by sending the message's id as the key of
     * the request.
     */
    EXTERNAL
}

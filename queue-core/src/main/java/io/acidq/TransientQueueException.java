package io.acidq;

/**
 * The database could not do it now (deadlock, lock wait, lost connection, read-only). The transaction is to be rolled
 * back by its owner; running it again as a whole may succeed. When the connection was lost during COMMIT, whether it committed is unknown and
 * the message says so: enqueue with a message key, so that running it again can not double the message.
 */
public final class TransientQueueException extends AcidqException {

    private static final long serialVersionUID = 1L;

    public TransientQueueException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.acidq;

/**
 * The database could not do it now: a deadlock, a lock timeout, a lost connection, a read-only server. Roll the transaction back and run it again as
 * a whole; that may succeed. When the connection was lost during COMMIT, the message says so, and it is unknown whether the transaction committed:
 * enqueue with a message key, so that a second run cannot add the message twice.
 */
public final class TransientQueueException extends AcidqException {

    private static final long serialVersionUID = 1L;

    public TransientQueueException(String message, Throwable cause) {
        super(message, cause);
    }
}

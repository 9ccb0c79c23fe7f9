package io.acidq;

/** The code or the configuration is wrong: the message says what, and what to change. Running it again will not help. */
public final class QueueMisuseException extends AcidqException {

    private static final long serialVersionUID = 1L;

    public QueueMisuseException(String message) {
        super(message);
    }

    public QueueMisuseException(String message, Throwable cause) {
        super(message, cause);
    }
}

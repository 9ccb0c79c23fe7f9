package io.acidq.codec;

import io.acidq.AcidqException;

/** A stored payload cannot be decoded as the type of the listener. The message becomes a dead letter with its payload. */
public final class UndecodableException extends AcidqException {

    private static final long serialVersionUID = 1L;

    public UndecodableException(String message) {
        super(message);
    }

    public UndecodableException(String message, Throwable cause) {
        super(message, cause);
    }
}

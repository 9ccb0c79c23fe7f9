package io.acidq.codec;

import io.acidq.AcidqException;

/** A stored payload can not be read as what the listener expects. The message is parked as a dead letter with its bytes. */
public final class UndecodableException extends AcidqException {

    private static final long serialVersionUID = 1L;

    public UndecodableException(String message) {
        super(message);
    }

    public UndecodableException(String message, Throwable cause) {
        super(message, cause);
    }
}

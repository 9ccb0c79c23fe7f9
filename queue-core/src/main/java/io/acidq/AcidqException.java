package io.acidq;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything that AcidQ throws. The subtypes answer what the caller can do: {@link TransientQueueException} run
 * the whole transaction again, {@link MessageRejectedException} change the message, {@link QueueMisuseException} change
 * the code or the configuration.
 */
public abstract class AcidqException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected AcidqException(String message) {
        super(message);
    }

    protected AcidqException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

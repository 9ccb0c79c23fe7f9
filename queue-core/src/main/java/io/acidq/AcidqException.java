package io.acidq;

import org.jspecify.annotations.Nullable;

/**
 * The base class of all exceptions that AcidQ throws. The subtype says what the caller can do:
 *
 * <ul>
 *   <li>{@link TransientQueueException}: roll back and run the whole transaction again.
 *   <li>{@link MessageRejectedException}: change the message.
 *   <li>{@link QueueMisuseException}: change the code or the configuration.
 * </ul>
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

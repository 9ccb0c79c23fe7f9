package io.acidq;

/**
 * A message cannot be accepted as it is: it is too large, a key is invalid, or its payload cannot be encoded. Except for {@link KeyTakenException}, and
 * for a payload that does not fit into the server's {@code max_allowed_packet}, it is thrown before any SQL of AcidQ. The call has then changed nothing,
 * and the caller's transaction stays usable.
 */
public sealed class MessageRejectedException extends AcidqException permits KeyTakenException {

    private static final long serialVersionUID = 1L;

    public MessageRejectedException(String message) {
        super(message);
    }

    public MessageRejectedException(String message, Throwable cause) {
        super(message, cause);
    }
}

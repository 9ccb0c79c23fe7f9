package io.acidq;

/**
 * A message can not be accepted as it is: too large, a bad key, a payload that does not encode. Thrown before any SQL
 * (but for {@link KeyTakenException}), so the caller's transaction is untouched and usable.
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

package io.acidq.devdb;

import org.jspecify.annotations.Nullable;

/** The database could not be prepared, started or stopped; the message says what to do about it. */
public final class DevDatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DevDatabaseException(String message) {
        super(message);
    }

    public DevDatabaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

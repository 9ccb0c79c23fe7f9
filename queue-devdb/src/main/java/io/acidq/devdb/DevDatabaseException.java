package io.acidq.devdb;

import org.jspecify.annotations.Nullable;

/** Thrown if a database cannot be prepared, started or stopped. The message names the next step. */
public final class DevDatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DevDatabaseException(String message) {
        super(message);
    }

    public DevDatabaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

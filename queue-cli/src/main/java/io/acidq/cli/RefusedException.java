package io.acidq.cli;

import org.jspecify.annotations.Nullable;

/** What was asked for is not done: the message is all that the user is told. */
final class RefusedException extends RuntimeException {

    private final int exitCode;
    private final String said;

    RefusedException(int exitCode, String message) {
        this(exitCode, message, null);
    }

    RefusedException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
        this.said = message;
    }

    String said() {
        return said;
    }

    int exitCode() {
        return exitCode;
    }
}

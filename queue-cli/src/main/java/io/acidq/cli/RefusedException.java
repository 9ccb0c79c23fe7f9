package io.acidq.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code. The user sees only the message. */
final class RefusedException extends RuntimeException {

    private final int exitCode;

    /**
     * Creates an exception.
     *
     * @param exitCode one of {@link Acidq.ExitCode}
     */
    RefusedException(int exitCode, String message) {
        this(exitCode, message, null);
    }

    RefusedException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}

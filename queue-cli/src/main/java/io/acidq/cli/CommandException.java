package io.acidq.cli;

import org.jspecify.annotations.Nullable;

/** A failure of a command that the command itself reports. The user sees only the message. */
final class CommandException extends RuntimeException {

    private final int exitCode;

    /**
     * Creates an exception.
     *
     * @param exitCode one of {@link Acidq.ExitCode}
     */
    CommandException(int exitCode, String message) {
        this(exitCode, message, null);
    }

    CommandException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}

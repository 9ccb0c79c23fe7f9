package io.acidq.cli;

/** What was asked for is not done: the message is all that the user is told. */
final class RefusedException extends RuntimeException {

    private final int exitCode;
    private final String said;

    RefusedException(int exitCode, String message) {
        super(message);
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

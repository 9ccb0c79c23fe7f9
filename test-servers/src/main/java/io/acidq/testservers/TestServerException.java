package io.acidq.testservers;

import org.jspecify.annotations.Nullable;

/** Thrown if there is no server for the tests, or if it does not work. The message names the next step. */
public final class TestServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TestServerException(String message) {
        super(message);
    }

    public TestServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package io.acidq.testservers;

import org.jspecify.annotations.Nullable;

/** There is no server to test with, or it does not do what it is told; the message says how to get one. */
public final class TestServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TestServerException(String message) {
        super(message);
    }

    public TestServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

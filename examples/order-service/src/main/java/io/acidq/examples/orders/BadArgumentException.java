package io.acidq.examples.orders;

/** An argument is not allowed. The message names it and the allowed values. */
final class BadArgumentException extends RuntimeException {

    BadArgumentException(String message) {
        super(message);
    }
}

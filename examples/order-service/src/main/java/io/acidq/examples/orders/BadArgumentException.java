package io.acidq.examples.orders;

/** An argument is not allowed; the message names it and says what is. */
final class BadArgumentException extends RuntimeException {

    BadArgumentException(String message) {
        super(message);
    }
}

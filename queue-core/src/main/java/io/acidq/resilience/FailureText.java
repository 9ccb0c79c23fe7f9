package io.acidq.resilience;

import java.util.stream.Collectors;

/** A failure in one text for people: types and messages from the outermost to the root, no stack trace. */
final class FailureText {

    private static final int CHARACTERS = 4000;

    private FailureText() {}

    static String of(Throwable failure) {
        String text = Causes.of(failure).stream().map(FailureText::line).collect(Collectors.joining("; caused by "));
        return text.length() <= CHARACTERS ? text : text.substring(0, CHARACTERS - 1) + "…";
    }

    private static String line(Throwable t) {
        try {
            return t.toString();
        } catch (Throwable broken) { // a message of the user's own that throws, even an Error
            return t.getClass().getName();
        }
    }
}

package io.acidq;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The code or the configuration is wrong: the message says what, and what to change. Running it again will not help. */
public final class QueueMisuseException extends AcidqException {

    private static final long serialVersionUID = 1L;

    private static final String BETWEEN = ": ";

    private final @Nullable String action;

    public QueueMisuseException(String message) {
        super(message);
        this.action = null;
    }

    public QueueMisuseException(String message, Throwable cause) {
        super(message, cause);
        this.action = null;
    }

    private QueueMisuseException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** With what is wrong and what to change apart, for those who show them apart. The message is both. */
    public static QueueMisuseException withAction(String problem, String action) {
        return withAction(problem, action, null);
    }

    /** The same with a cause. */
    public static QueueMisuseException withAction(String problem, String action, @Nullable Throwable cause) {
        return new QueueMisuseException(problem + BETWEEN + action, action, cause);
    }

    /** What is wrong, without what to change where that was given apart. */
    public String problem() {
        String message = String.valueOf(getMessage());
        return action == null ? message : message.substring(0, message.length() - action.length() - BETWEEN.length());
    }

    /** What to change, where it was given apart. */
    public Optional<String> action() {
        return Optional.ofNullable(action);
    }
}

package io.acidq;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The code or the configuration is wrong. The message says what is wrong and what to change; running the same code again does not help.
 *
 * <p>Roll the caller's transaction back when an enqueue or the inbox throws it: the database may have refused one of several statements. It stays usable
 * only if the exception came before any SQL, for a name, a setting or a transaction that is missing. In a handler it counts as a failure of the message.
 */
public final class QueueMisuseException extends AcidqException {

    private static final long serialVersionUID = 1L;

    private static final String SEPARATOR = ": ";

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

    /** Creates an exception with the problem and the action as separate texts. The message is both, joined by a colon. */
    public static QueueMisuseException withAction(String problem, String action) {
        return withAction(problem, action, null);
    }

    /** Returns an exception as {@link #withAction(String, String)} does, with the exception that caused it. */
    public static QueueMisuseException withAction(String problem, String action, @Nullable Throwable cause) {
        return new QueueMisuseException(problem + SEPARATOR + action, action, cause);
    }

    /** Returns the problem: the message without the action, if the action was given separately. */
    public String problem() {
        String message = String.valueOf(getMessage());
        return action == null ? message : message.substring(0, message.length() - action.length() - SEPARATOR.length());
    }

    /** Returns the action, which says what to change, if it was given separately. */
    public Optional<String> action() {
        return Optional.ofNullable(action);
    }
}

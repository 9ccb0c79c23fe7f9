package io.acidq;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call of {@link Inbox#once(String, String, Inbox.WorkWithResult)}. Immutable.
 *
 * @param result      the result of the work; null when the work did not run
 * @param firstDoneAt for a duplicate, when the call that ran the work took the key, by the database's clock, to the microsecond; null
 *                    when this call ran the work
 * @param <T>         the type of the work's result
 */
public record InboxResult<T extends @Nullable Object>(
        @Nullable T result, @Nullable Instant firstDoneAt) {

    public InboxResult {
        if (result != null && firstDoneAt != null) {
            throw new IllegalArgumentException("a duplicate has no result, because the work did not run");
        }
    }

    /** A result of a call that ran the work. */
    public static <T extends @Nullable Object> InboxResult<T> ran(T result) {
        return new InboxResult<>(result, null);
    }

    /** A result of a call that did not run the work, because an earlier call had done it. */
    public static <T extends @Nullable Object> InboxResult<T> duplicate(Instant firstDoneAt) {
        return new InboxResult<>(null, firstDoneAt);
    }

    /** Whether an earlier call had done the work, so that this call did not run it. */
    public boolean isDuplicate() {
        return firstDoneAt != null;
    }

    /** Whether this call ran the work. Its effects commit with the caller's transaction. */
    public boolean ran() {
        return firstDoneAt == null;
    }
}

package io.acidq;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a call of {@link Inbox#once(String, String, Inbox.Task)}. Immutable.
 *
 * @param result      what the work returned; null when it did not run
 * @param firstDoneAt for a duplicate, when the call that ran the work had taken the key, by the database's clock, microseconds; null
 *                    when this call ran the work
 * @param <T>         the type of the work's result
 */
public record InboxResult<T extends @Nullable Object>(
        @Nullable T result, @Nullable Instant firstDoneAt) {

    public InboxResult {
        if (result != null && firstDoneAt != null) {
            throw new IllegalArgumentException("a duplicate has no result: the work did not run");
        }
    }

    /** This call ran the work. */
    public static <T extends @Nullable Object> InboxResult<T> ran(T result) {
        return new InboxResult<>(result, null);
    }

    /** The work had been done before. */
    public static <T extends @Nullable Object> InboxResult<T> duplicate(Instant firstDoneAt) {
        return new InboxResult<>(null, firstDoneAt);
    }

    /** Whether the work had been done before, so that this call did not run it. */
    public boolean isDuplicate() {
        return firstDoneAt != null;
    }

    /** Whether this call ran the work; its effects are there when the caller's transaction commits. */
    public boolean ran() {
        return firstDoneAt == null;
    }
}

package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run of a handler. {@link #done()} commits the handler's effects together with the acknowledgement. Every other outcome of
 * a handler of single messages rolls the effects back; in external mode there are none to roll back. A batch commits its effects: see
 * {@link BatchHandler}. Immutable.
 *
 * <p>Texts may be null. The text of a dead letter is kept to 100,000 characters; dead letters whose first lines are equal but for digits form one
 * group.
 */
public sealed interface Outcome {

    /** The error or reason that is recorded when a handler gives none. */
    String NO_REASON_GIVEN = "no reason was given";

    /** The message is done: the handler's effects and the acknowledgement commit together. */
    static Outcome done() {
        return Done.INSTANCE;
    }

    /**
     * The message is done, with a result. If the message was enqueued with {@link EnqueueOptions#result}, the result commits with the handler's
     * effects, and {@link Receipts} return it. Otherwise it is ignored.
     *
     * @param result encoded by the codec of the engine, at most 65,535 bytes; null for none
     */
    static Outcome done(@Nullable Object result) {
        return result == null ? Done.INSTANCE : new Done(result);
    }

    /** The message failed and runs again after the delay, with a general error: see {@link #retryAfter(Duration, String)}. */
    static Outcome retryAfter(Duration delay) {
        return retryAfter(delay, "the handler asked for a retry");
    }

    /**
     * The message failed and runs again after the delay. The attempt counts: after the last one the message becomes a dead letter.
     *
     * @param delay 0 to 365 days; 0 for at once
     * @param error what went wrong, for logs, and for the dead letter after the last attempt, which keeps up to 100,000 characters as with {@link #dead}
     * @throws QueueMisuseException when the delay is null or outside these bounds
     */
    static Outcome retryAfter(Duration delay, @Nullable String error) {
        return new Retry(delay, error == null ? NO_REASON_GIVEN : error);
    }

    /** The message is snoozed, with a general reason: see {@link #snooze(Duration, String)}. */
    static Outcome snooze(Duration delay) {
        return snooze(delay, "the handler asked to be called later");
    }

    /**
     * The message cannot be processed yet and runs again after the delay. The attempt does not count, so only the maximum age of the retry policy
     * ends it. A message with an ordering key keeps its place, and later messages of its key wait.
     *
     * @param delay 1 ms to 365 days
     * @param reason the reason, for logs
     * @throws QueueMisuseException when the delay is null or outside these bounds
     */
    static Outcome snooze(Duration delay, @Nullable String reason) {
        return new Snooze(delay, reason == null ? NO_REASON_GIVEN : reason);
    }

    /**
     * The message is no longer needed: it is removed without a dead letter, and no row of it remains. The handler's effects are rolled back; to keep
     * them, return {@link #done()}.
     *
     * @param reason the reason, for logs
     */
    static Outcome cancel(@Nullable String reason) {
        return new Cancelled(reason == null ? NO_REASON_GIVEN : reason);
    }

    /**
     * The message cannot be processed and becomes a dead letter at once.
     *
     * @param error the last error of the dead letter. Of more than 100,000 characters the beginning and the end are kept
     */
    static Outcome dead(@Nullable String error) {
        return new Dead(error == null ? NO_REASON_GIVEN : error);
    }

    /** Returns whether the message is done, with a result or without. */
    default boolean isDone() {
        return this instanceof Done;
    }

    /** Calls the method of the given object for this outcome, and returns its result. */
    <R> R match(Cases<R> cases);

    /** One method for each outcome, for {@link Outcome#match}. */
    interface Cases<R> {

        R done();

        R retry(Duration delay, String error);

        R snooze(Duration delay, String reason);

        R cancelled(String reason);

        R dead(String error);
    }

    /**
     * See {@link Outcome#done(Object)}.
     *
     * @param result the result; null for none
     */
    record Done(@Nullable Object result) implements Outcome {

        private static final Done INSTANCE = new Done(null);

        /** Without the result, which may hold data of customers. */
        @Override
        public String toString() {
            return "Done";
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.done();
        }
    }

    /** See {@link Outcome#retryAfter(Duration, String)}. */
    record Retry(Duration delay, String error) implements Outcome {

        public Retry {
            InputChecks.checkWait("a retry's delay", delay, Duration.ZERO);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.retry(delay, error);
        }
    }

    /** See {@link Outcome#snooze(Duration, String)}. */
    record Snooze(Duration delay, String reason) implements Outcome {

        public Snooze {
            InputChecks.checkWait("a snooze", delay, Duration.ofMillis(1));
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.snooze(delay, reason);
        }
    }

    /** See {@link Outcome#cancel}. */
    record Cancelled(String reason) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.cancelled(reason);
        }
    }

    /** See {@link Outcome#dead}. */
    record Dead(String error) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.dead(error);
        }
    }
}

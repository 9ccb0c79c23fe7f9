package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a handler run ended in. {@link Done} commits the handler's effects with the acknowledgement; every other outcome
 * rolls them back first.
 */
public sealed interface Outcome {

    /** Stands where a handler gave none, as with the message of an exception that has none. */
    String NO_CAUSE = "no cause was given";

    /** Effects and acknowledgement commit together; the message leaves. */
    static Outcome done() {
        return Done.INSTANCE;
    }

    /** Effects are rolled back; the message runs again after the delay. The attempt counts: after the last it is a dead letter. */
    static Outcome retryAfter(Duration delay, @Nullable String cause) {
        return new Retry(delay, cause == null ? NO_CAUSE : cause);
    }

    /** Effects are rolled back; the message becomes a dead letter with this cause. */
    static Outcome dead(@Nullable String cause) {
        return new Dead(cause == null ? NO_CAUSE : cause);
    }

    /** Calls the case that this outcome is; adding an outcome breaks every caller at compile time. */
    <R> R match(Cases<R> cases);

    /** One function for each outcome. */
    interface Cases<R> {
        R done();

        R retry(Duration delay, String cause);

        R dead(String cause);
    }

    /** See {@link Outcome#done()}. */
    enum Done implements Outcome {
        INSTANCE;

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.done();
        }
    }

    /** See {@link Outcome#retryAfter}. */
    record Retry(Duration delay, String cause) implements Outcome {

        private static final Duration LONGEST = Duration.ofDays(365);

        public Retry {
            if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
                throw new QueueMisuseException("a retry's delay must be between zero and 365 days, was " + delay);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.retry(delay, cause);
        }
    }

    /** See {@link Outcome#dead}. */
    record Dead(String cause) implements Outcome {

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.dead(cause);
        }
    }
}

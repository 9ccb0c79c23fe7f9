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

    /** As {@link #retryAfter(Duration, String)}, without a reason to show. */
    static Outcome retryAfter(Duration delay) {
        return retryAfter(delay, "the handler asked for a retry");
    }

    /** Effects are rolled back; the message runs again after the delay. The attempt counts: after the last it is a dead letter. */
    static Outcome retryAfter(Duration delay, @Nullable String cause) {
        return new Retry(delay, cause == null ? NO_CAUSE : cause);
    }

    /** As {@link #snooze(Duration, String)}, without a reason to show. */
    static Outcome snooze(Duration delay) {
        return snooze(delay, "the handler asked to be called later");
    }

    /**
     * Not yet: effects are rolled back; the message runs again after the delay, of at least 1 ms. No attempt counts, so only
     * the retry policy's maximum age ends it; with an ordering key the message keeps its place and its followers wait.
     */
    static Outcome snooze(Duration delay, @Nullable String why) {
        return new Snooze(delay, why == null ? NO_CAUSE : why);
    }

    /**
     * Never mind: effects are rolled back and the message leaves without a dead letter. Its state is CANCELLED, of which, as
     * of done, no row remains. To keep effects, return {@link #done()}.
     */
    static Outcome cancel(@Nullable String why) {
        return new Cancelled(why == null ? NO_CAUSE : why);
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

        R snooze(Duration delay, String why);

        R cancelled(String why);

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

    /** See {@link Outcome#retryAfter(Duration, String)}. */
    record Retry(Duration delay, String cause) implements Outcome {

        public Retry {
            Limits.checkWait("a retry's delay", delay, Duration.ZERO);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.retry(delay, cause);
        }
    }

    /** See {@link Outcome#snooze(Duration, String)}. */
    record Snooze(Duration delay, String why) implements Outcome {

        public Snooze {
            Limits.checkWait("a snooze", delay, Duration.ofMillis(1));
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.snooze(delay, why);
        }
    }

    /** See {@link Outcome#cancel}. */
    record Cancelled(String why) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.cancelled(why);
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

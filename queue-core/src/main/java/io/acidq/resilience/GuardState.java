package io.acidq.resilience;

import java.time.Duration;
import java.util.Locale;

/**
 * The state of a guard at one moment, in one node.
 *
 * @param kind        the kind of guard
 * @param name        its name; the queue's when it is the queue's own
 * @param status      whether it lets messages start
 * @param permits     how many more messages may start now; {@link Integer#MAX_VALUE} for no limit
 * @param untilChange if it lets no message start, how long until that may change without another call
 */
public record GuardState(Kind kind, String name, Status status, int permits, Duration untilChange) {

    /** Kinds of guards. */
    public enum Kind {
        BREAKER,
        RATE_LIMIT,
        BULKHEAD;

        /** The name for people. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Whether it lets messages start. */
    public enum Status {
        /** Messages may start; a breaker is closed. */
        LETS_THROUGH,
        /** A breaker is half open: a few messages may start as a test. */
        TESTS,
        /** No message may start: a breaker is open, the permits of a rate limit's period are used up, a bulkhead is full. */
        STOPS
    }

    /** Whether no message is claimed now. A full bulkhead does not stop claims, because each end of a run frees a permit. */
    public boolean stopsClaiming() {
        return status == Status.STOPS && kind != Kind.BULKHEAD;
    }

    /** A text for people, such as {@code breaker 'warehouse' stops for another PT20S}. */
    @Override
    public String toString() {
        String numbers = permits == Integer.MAX_VALUE || status == Status.STOPS
                ? ""
                : ", " + permits + (permits == 1 ? " permit" : " permits") + " left";
        return switch (status) {
            case LETS_THROUGH -> kind.text() + " '" + name + "' lets through" + numbers;
            case TESTS -> kind.text() + " '" + name + "' tests" + numbers;
            case STOPS -> kind.text() + " '" + name + "' stops for another " + untilChange;
        };
    }
}

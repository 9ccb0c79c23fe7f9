package io.acidq.resilience;

import java.time.Duration;

/**
 * A guard at one moment, in one node.
 *
 * @param kind    what it is
 * @param name    its name; the queue's when it is the queue's own
 * @param status  whether it lets messages start
 * @param permits how many more may start now; {@link Integer#MAX_VALUE} when it sets no number
 * @param asksIn  when it stops: how long until that can change by itself, as far as it knows
 */
public record GuardState(Kind kind, String name, Status status, int permits, Duration asksIn) {

    /** Kinds of guards. */
    public enum Kind {
        BREAKER("breaker"),
        RATE_LIMIT("rate limit"),
        BULKHEAD("bulkhead");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** What people call it. */
        public String text() {
            return text;
        }
    }

    /** Whether it lets messages start. */
    public enum Status {
        /** It does; a breaker is closed. */
        LETS_THROUGH,
        /** A breaker is half open: a few may start, to find out. */
        TESTS,
        /** It does not: a breaker is open, the permits of a rate limit's period are used up, a bulkhead is full. */
        STOPS
    }

    /** Whether it is a reason not to claim: a full bulkhead is none, its places come back with each end. */
    public boolean stopsClaiming() {
        return status == Status.STOPS && kind != Kind.BULKHEAD;
    }

    /** For people, such as {@code breaker 'warehouse' stops for another PT20S}. */
    @Override
    public String toString() {
        String numbers = permits == Integer.MAX_VALUE || status == Status.STOPS ? "" : ", " + permits + " permits left";
        return switch (status) {
            case LETS_THROUGH -> kind.text + " '" + name + "' lets through" + numbers;
            case TESTS -> kind.text + " '" + name + "' tests" + numbers;
            case STOPS -> kind.text + " '" + name + "' stops for another " + asksIn;
        };
    }
}

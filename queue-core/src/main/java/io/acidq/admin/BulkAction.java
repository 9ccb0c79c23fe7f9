package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import java.util.Objects;

/**
 * A bulk action on dead letters, or on messages that wait: who does it and why, how many, and how fast. Immutable. Begin with {@link #by}:
 *
 * <pre>{@code
 * deadLetters.replay(
 *         DeadLetterFilter.of("orders").withType("OrderPlaced"),
 *         BulkAction.by("ada", "the warehouse is up again").withLimit(5_000).withPerSecond(50));
 * }</pre>
 *
 * @param operator  who does it, and why
 * @param limit     the maximum number that are changed, of dead letters the oldest that match first: 1 to 100,000. Default 1,000
 * @param perSecond the maximum number a second, 1 to 10,000; 0, the default, for no limit. Too high: the system that made the letters fail
 *                  may be overloaded again; too low: the caller's thread is blocked for longer
 * @param dryRun    whether the action only counts and changes nothing
 */
public record BulkAction(Operator operator, int limit, int perSecond, boolean dryRun) {

    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 100_000;
    private static final int MAX_RATE = 10_000;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when the limit is not 1 to 100,000, or the rate is not 0 to 10,000
     */
    public BulkAction {
        Objects.requireNonNull(operator, "operator");
        InputChecks.checkLimit("a bulk action", limit, MAX_LIMIT);
        InputChecks.require(
                perSecond >= 0 && perSecond <= MAX_RATE,
                "the rate of a bulk action must be 1 to " + MAX_RATE + " messages a second, or 0 for no limit, was "
                        + perSecond);
    }

    /** An action on at most 1,000 dead letters or messages, without a rate limit, that changes them. */
    public static BulkAction by(Operator operator) {
        return new BulkAction(operator, DEFAULT_LIMIT, 0, false);
    }

    /**
     * Returns an action by the operator of this name, for this reason.
     *
     * @throws QueueMisuseException when the name or the reason is blank or too long
     */
    public static BulkAction by(String actor, String reason) {
        return by(new Operator(actor, reason));
    }

    /** Sets the maximum number, 1 to 100,000. */
    public BulkAction withLimit(int value) {
        return new BulkAction(operator, value, perSecond, dryRun);
    }

    /** Sets the maximum number a second, 1 to 10,000. The call returns when the last one is done. */
    public BulkAction withPerSecond(int value) {
        return new BulkAction(operator, limit, value, dryRun);
    }

    /** Makes this a dry run, which changes and records nothing. */
    public BulkAction asDryRun() {
        return new BulkAction(operator, limit, perSecond, true);
    }
}

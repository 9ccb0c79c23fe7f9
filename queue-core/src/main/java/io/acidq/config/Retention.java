package io.acidq.config;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long rows are kept that the queues no longer need. Every engine removes old rows of all queues, so the shortest time of all engines applies.
 * Immutable. Values are checked when they are set.
 *
 * @param audit       how long entries of the audit log are kept. Too short: actions of operators cannot be traced; too long: a larger table. 1 hour to
 *                    36500 days. Default 365 days
 * @param deadLetters how long dead letters are kept, unless their queue has its own setting; null, the default, for no limit. Too short: messages are
 *                    lost before an operator has seen them; too long: a larger table, and message keys that stay taken. 1 hour to 36500 days
 * @param nodes       how long the rows of ended nodes are kept. Too short: it is not known where a node ran; too long: a larger table. 1 hour to 36500
 *                    days. Default 7 days
 * @param ticks       how long the history of recurring messages is kept. Too short: it is not known which ticks came; too long: a larger table. 1 hour to 36500
 *                    days. Default 7 days
 * @param attempts    how long failed attempts are kept; 0 to record none. Too short: it is not known how a message has failed before; too long: a larger table. 0, or
 *                    1 hour to 36500 days. Default 7 days
 * @param history     how long the numbers of each hour are kept from which the dashboard draws its charts. Those of ten minutes are kept for 14 days and those of a
 *                    minute for a day, or for this time if it is shorter. Too short: the numbers from before an incident are gone; too long: a larger table.
 *                    1 hour to 36500 days. Default 400 days
 */
public record Retention(
        Duration audit,
        @Nullable Duration deadLetters,
        Duration nodes,
        Duration ticks,
        Duration attempts,
        Duration history) {

    /** Declared here, because the defaults of {@link EngineConfig} need it. */
    static final Duration MAX = Duration.ofDays(36_500);

    private static final Duration MIN = Duration.ofHours(1);
    private static final Retention DEFAULTS = new Retention(
            Duration.ofDays(365),
            null,
            Duration.ofDays(7),
            Duration.ofDays(7),
            Duration.ofDays(7),
            Duration.ofDays(400));

    public Retention {
        require(
                audit != null && nodes != null && ticks != null && attempts != null && history != null,
                "retention of audit, of nodes, of ticks, of attempts and of history must not be null: set a time; only dead letters can be kept without limit");
        check("retention of audit (acidq.retention.audit)", audit);
        check("retention of deadLetters (acidq.retention.dead-letters)", deadLetters);
        check("retention of nodes (acidq.retention.nodes)", nodes);
        check("retention of ticks (acidq.retention.ticks)", ticks);
        check("retention of history (acidq.retention.history)", history);
        require(
                attempts.isZero() || isWithin(attempts, MIN, MAX),
                "retention of attempts (acidq.retention.attempts) must be 0 or 1 hour to 36500 days, was " + attempts);
    }

    public static Retention defaults() {
        return DEFAULTS;
    }

    public Retention withAudit(Duration value) {
        return new Retention(value, deadLetters, nodes, ticks, attempts, history);
    }

    /** Sets how long dead letters are kept; null for no limit. */
    public Retention withDeadLetters(@Nullable Duration value) {
        return new Retention(audit, value, nodes, ticks, attempts, history);
    }

    public Retention withNodes(Duration value) {
        return new Retention(audit, deadLetters, value, ticks, attempts, history);
    }

    public Retention withTicks(Duration value) {
        return new Retention(audit, deadLetters, nodes, value, attempts, history);
    }

    /** Sets how long failed attempts are kept; zero to record none. */
    public Retention withAttempts(Duration value) {
        return new Retention(audit, deadLetters, nodes, ticks, value, history);
    }

    /** Sets how long the numbers of each hour are kept. */
    public Retention withHistory(Duration value) {
        return new Retention(audit, deadLetters, nodes, ticks, attempts, value);
    }

    static void check(String what, @Nullable Duration value) {
        require(value == null || isWithin(value, MIN, MAX), what + " must be 1 hour to 36500 days, was " + value);
    }
}

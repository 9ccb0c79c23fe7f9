package io.acidq.config;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long is kept what nobody needs any more for the work itself. Every engine removes for all, so where engines differ the shortest time
 * counts. Immutable; checked at once.
 *
 * @param audit       how long the audit table tells what operators did. Too short: nobody knows any more; too long: a larger table. 1 hour to
 *                    36500 days. Default 365 days
 * @param deadLetters how long dead letters are kept where their queue says nothing else; null, the default, for ever. Too short: messages are
 *                    lost before somebody has looked at them; too long: a larger table, and keys that stay taken. 1 hour to 36500 days
 * @param nodes       how long the rows of nodes are kept after their end. Too short: nobody knows any more where a node ran; too long: a larger
 *                    table. 1 hour to 36500 days. Default 7 days
 */
public record Retention(Duration audit, @Nullable Duration deadLetters, Duration nodes) {

    /** Here and not taken from {@link EngineConfig}, whose defaults need these. */
    static final Duration MAX = Duration.ofDays(36_500);

    private static final Duration MIN = Duration.ofHours(1);
    private static final Retention DEFAULTS = new Retention(Duration.ofDays(365), null, Duration.ofDays(7));

    public Retention {
        if (audit == null || nodes == null) {
            throw new QueueMisuseException(
                    "retention of audit and of nodes needs a time: only dead letters are kept for ever, by null");
        }
        check("retention of audit (acidq.retention.audit)", audit);
        check("retention of deadLetters (acidq.retention.dead-letters)", deadLetters);
        check("retention of nodes (acidq.retention.nodes)", nodes);
    }

    public static Retention defaults() {
        return DEFAULTS;
    }

    public Retention withAudit(Duration value) {
        return new Retention(value, deadLetters, nodes);
    }

    /** Sets how long dead letters are kept; null for ever. */
    public Retention withDeadLetters(@Nullable Duration value) {
        return new Retention(audit, value, nodes);
    }

    public Retention withNodes(Duration value) {
        return new Retention(audit, deadLetters, value);
    }

    static void check(String what, @Nullable Duration value) {
        if (value != null && (value.compareTo(MIN) < 0 || value.compareTo(MAX) > 0)) {
            throw new QueueMisuseException(what + " must be 1 hour to 36500 days, was " + value);
        }
    }
}

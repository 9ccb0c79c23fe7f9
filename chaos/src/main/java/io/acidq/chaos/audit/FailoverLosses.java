package io.acidq.chaos.audit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The losses of a failover: what the old server had committed and the promoted one had not received. The invariants do not hold for lost messages,
 * and a lost claim may be repeated with the same number. Confined to one thread.
 */
public final class FailoverLosses {

    static final FailoverLosses NONE = new FailoverLosses();

    private final Set<String> received = new HashSet<>();
    private final Set<String> waiting = new HashSet<>();
    private final Set<String> lost = new TreeSet<>();

    private final long promotedAt = System.nanoTime();

    private FailoverLosses() {}

    /** Reads the promoted server before any process uses it. */
    public static FailoverLosses to(Connection promoted) throws SQLException {
        FailoverLosses failoverLosses = new FailoverLosses();
        DatabaseAudit.forEach(
                promoted, "SELECT p_key FROM chaos_business", row -> failoverLosses.received.add(row.getString(1)));
        for (String table : new String[] {"acidq_message", "acidq_scheduled"}) {
            DatabaseAudit.forEach(
                    promoted,
                    "SELECT " + DatabaseAudit.key("m") + " FROM " + table + " m" + DatabaseAudit.queue("m"),
                    row -> failoverLosses.waiting.add(row.getString(1)));
        }
        return failoverLosses;
    }

    /** Reads the old server, which no process can reach any more. */
    public FailoverLosses from(Connection before) throws SQLException {
        DatabaseAudit.forEach(before, "SELECT p_key FROM chaos_business", row -> {
            if (!received.contains(row.getString(1))) {
                lost.add(row.getString(1));
            }
        });
        return this;
    }

    /** The keys of lost enqueues. */
    public Set<String> lost() {
        return lost;
    }

    boolean hasLost(String key) {
        return lost.contains(key);
    }

    /** Whether the message was there and not done at the promotion, so that a lost claim may have been repeated with the same number. */
    boolean wasUnderWay(String key) {
        return waiting.contains(key);
    }

    /**
     * Whether each effect of a message that was under way is of a start since the promotion. No more can be checked for those starts, because an
     * engine that has not noticed a short outage starts its earlier claims, and finds at their end that they are gone.
     */
    boolean isDoneSince(MessageHistory history) {
        return history.effects.stream()
                .allMatch(e ->
                        history.starts.stream().anyMatch(s -> s.at >= promotedAt && s.isOf(e.node(), e.claimNo())));
    }
}

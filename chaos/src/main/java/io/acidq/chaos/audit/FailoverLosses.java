package io.acidq.chaos.audit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a failover has lost: what the server before had committed and the promoted one had not received. Promises on it do not bind, and a
 * claim in it may be made again under its number. Confined to one thread.
 */
public final class FailoverLosses {

    static final FailoverLosses NONE = new FailoverLosses();

    private final Set<String> received = new HashSet<>();
    private final Set<String> waiting = new HashSet<>();
    private final Set<String> lost = new TreeSet<>();

    private final long at = System.nanoTime();

    private FailoverLosses() {}

    /** Looks at the promoted server, before anybody works there. */
    public static FailoverLosses to(Connection promoted) throws SQLException {
        FailoverLosses failoverLosses = new FailoverLosses();
        forEach(promoted, "SELECT p_key FROM chaos_business", row -> failoverLosses.received.add(row.getString(1)));
        for (String table : new String[] {"acidq_message", "acidq_scheduled"}) {
            forEach(
                    promoted,
                    "SELECT CONVERT(p_key USING utf8mb4) FROM " + table,
                    row -> failoverLosses.waiting.add(row.getString(1)));
        }
        return failoverLosses;
    }

    /** Looks at the server before, which nobody can reach any more. */
    public FailoverLosses from(Connection before) throws SQLException {
        forEach(before, "SELECT p_key FROM chaos_business", row -> {
            if (!received.contains(row.getString(1))) {
                lost.add(row.getString(1));
            }
        });
        return this;
    }

    /** The keys whose enqueue was committed, and is gone. */
    public Set<String> lost() {
        return lost;
    }

    boolean hasLost(String key) {
        return lost.contains(key);
    }

    /** Whether its message was there and not done when the server was promoted: claims that were lost may have been made again under their numbers. */
    boolean wasUnderWay(String key) {
        return waiting.contains(key);
    }

    /**
     * Whether each effect of a message that was under way is of a start since the server was promoted. More can not be asked of those starts:
     * an engine that has not noticed a short outage starts what it had claimed before, and finds no claim at its end.
     */
    boolean isDoneSince(MessageHistory messageHistory) {
        return messageHistory.effects.stream()
                .allMatch(e -> messageHistory.handlerStarts.stream()
                        .anyMatch(s -> s.at >= at && s.isOf(e.node(), e.claimNo())));
    }

    private static void forEach(Connection connection, String sql, Reader reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    /** Takes a row. */
    private interface Reader {
        void read(ResultSet row) throws SQLException;
    }
}

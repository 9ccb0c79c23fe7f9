package io.acidq.chaos.audit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Checks during the run for states that must never be visible. Each check reads one snapshot. */
public final class SnapshotAudit {

    private long checks;

    /** The messages of one snapshot that have two effects, are both waiting and done, or are in two tables. */
    public List<String> check(Connection connection) throws SQLException {
        List<String> violations = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            add(
                    violations,
                    statement,
                    "two effects",
                    "SELECT p_key FROM chaos_effect GROUP BY p_key HAVING COUNT(*) > 1 LIMIT 20");
            add(
                    violations,
                    statement,
                    "done and still there",
                    "SELECT e.p_key FROM acidq_message m STRAIGHT_JOIN chaos_effect e ON e.p_key = CONVERT(m.p_key"
                            + " USING utf8mb4) LIMIT 20");
            add(
                    violations,
                    statement,
                    "done and due again",
                    "SELECT e.p_key FROM acidq_scheduled s STRAIGHT_JOIN chaos_effect e ON e.p_key = CONVERT(s.p_key"
                            + " USING utf8mb4) LIMIT 20");
            add(
                    violations,
                    statement,
                    "done and dead",
                    "SELECT e.p_key FROM acidq_dead d STRAIGHT_JOIN chaos_effect e ON e.p_key = CONVERT(d.p_key USING"
                            + " utf8mb4) LIMIT 20");
            add(
                    violations,
                    statement,
                    "in two places",
                    "SELECT HEX(uid) FROM (SELECT uid FROM acidq_message WHERE kind = 0 UNION ALL SELECT uid FROM"
                            + " acidq_scheduled UNION ALL SELECT uid FROM acidq_parked UNION ALL SELECT uid FROM"
                            + " acidq_dead) AS held GROUP BY uid HAVING COUNT(*) > 1 LIMIT 20");
            statement.execute("COMMIT");
        }
        checks++;
        return violations;
    }

    public long checks() {
        return checks;
    }

    private static void add(List<String> violations, Statement statement, String what, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                violations.add(what + ": " + rows.getString(1));
            }
        }
    }
}

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
            add(violations, statement, "done and still there", done("acidq_message"));
            add(violations, statement, "done and due again", done("acidq_scheduled"));
            add(violations, statement, "done and dead", done("acidq_dead"));
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

    private static String done(String table) {
        return "SELECT e.p_key FROM " + table + " m" + DatabaseAudit.queue("m")
                + " STRAIGHT_JOIN chaos_effect e ON e.p_key = " + DatabaseAudit.key("m") + " LIMIT 20";
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

package io.acidq.benchmarks.workload;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Statistics of tables as they are after ANALYZE TABLE. */
final class FreshStatistics {

    private FreshStatistics() {}

    /** Of the tables whose names begin so, in lower case. */
    static void of(Connection connection, List<String> prefixes) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'")) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    if (prefixes.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith)) {
                        tables.add("`" + name + "`");
                    }
                }
            }
            try (ResultSet answers = statement.executeQuery("ANALYZE TABLE " + String.join(", ", tables))) {
                while (answers.next()) {
                    if (answers.getString("Msg_type").equalsIgnoreCase("error")) {
                        throw new SQLException(
                                "ANALYZE TABLE " + answers.getString("Table") + ": " + answers.getString("Msg_text"));
                    }
                }
            }
        }
    }
}

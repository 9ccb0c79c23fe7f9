package io.acidq.engine;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Databases of earlier tests, emptied for later ones, because the creation of the tables takes longer than most tests. Safe for concurrent use. */
final class ReusableDatabases {

    private static final int FEW = 3000;
    private static final Map<ServerKind, Deque<TestDatabase>> FREE = new EnumMap<>(ServerKind.class);

    private ReusableDatabases() {}

    /** Returns a database without tables, or an empty one of an earlier test. */
    static synchronized TestDatabase get(ServerKind kind) {
        TestDatabase used = FREE.computeIfAbsent(kind, k -> new ArrayDeque<>()).poll();
        return used == null ? TestServers.get(kind).createDatabase() : used;
    }

    /** Empties a database for another test, unless other connections use it or it contains many rows. */
    static void returnDatabase(TestDatabase database) {
        try (Connection connection = database.connect()) {
            if (column(connection, "SELECT id FROM information_schema.processlist WHERE db = DATABASE()")
                                    .size()
                            > 1
                    || !empty(connection)) {
                return;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        synchronized (ReusableDatabases.class) {
            FREE.get(database.server().kind()).push(database);
        }
    }

    /** Deletes rows where there are few, because TRUNCATE takes as long as the creation of a table. Returns false where there are many. */
    private static boolean empty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            List<String> tables = column(connection, "SHOW TABLES");
            tables.remove("acidq_schema"); // the version
            for (String table : tables) {
                boolean isOfAll = table.startsWith("acidq_") || table.equals("effect");
                if (isOfAll
                        && !column(connection, "SELECT 1 FROM " + table + " LIMIT " + FEW + ", 1")
                                .isEmpty()) {
                    return false;
                }
                statement.execute((isOfAll ? "DELETE FROM " : "DROP TABLE ") + table);
            }
            return true;
        }
    }

    private static List<String> column(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }
}

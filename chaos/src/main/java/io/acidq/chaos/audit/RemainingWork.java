package io.acidq.chaos.audit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What is still going on in the database when everything has been stopped. */
final class RemainingWork {

    /** The server needs a moment to notice that a client has gone, and a proxy's black hole ends after some seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(12);

    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(50);

    /** Everything whose locks would stop the queue. */
    private static final List<String> TABLES = List.of(
            "acidq_queue",
            "acidq_lane",
            "acidq_node",
            "acidq_message",
            "acidq_scheduled",
            "acidq_parked",
            "acidq_dead",
            "acidq_key");

    private final Connection connection;
    private final Duration patience;

    RemainingWork(Connection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    /** Others that are connected to this database, and stay so. */
    List<String> connections() throws SQLException {
        long began = System.nanoTime();
        List<String> others = others();
        while (!others.isEmpty() && System.nanoTime() - began < patience.toNanos()) {
            LockSupport.parkNanos(BETWEEN_CHECKS.toNanos());
            others = others();
        }
        return others;
    }

    private List<String> others() throws SQLException {
        List<String> others = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT id, host, command, time, LEFT(info, 200) FROM information_schema.processlist"
                                + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
            while (rows.next()) {
                others.add("connection " + rows.getLong(1) + " from " + rows.getString(2) + ", " + rows.getString(3)
                        + " for " + rows.getLong(4) + " s: " + rows.getString(5));
            }
        }
        return others;
    }

    /** The tables in which somebody else holds a row. Needs no right to look into the server: it takes every lock for a moment. */
    List<String> locks() throws SQLException {
        List<String> locked = new ArrayList<>();
        for (String table : TABLES) {
            try (Statement statement = connection.createStatement()) {
                statement
                        .executeQuery("SELECT 1 FROM " + table + " FORCE INDEX (PRIMARY) FOR UPDATE NOWAIT")
                        .close();
            } catch (SQLException e) {
                if (!isLocked(e)) {
                    throw e;
                }
                locked.add("a row of " + table + " is locked");
            }
        }
        return locked;
    }

    private static boolean isLocked(SQLException e) {
        return e.getErrorCode() == 3572 || e.getErrorCode() == 1205; // MySQL, MariaDB
    }
}

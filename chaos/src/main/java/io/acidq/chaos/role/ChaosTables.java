package io.acidq.chaos.role;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The application's tables. Effects have no unique key, so that duplicates show. */
public final class ChaosTables {

    public static final String QUEUE = "chaos";

    /** The queue of the messages of ticks. */
    static final String TICKS = "chaos-ticks";

    static final String TICK = "INSERT INTO chaos_tick (name, tick_at, at) VALUES (?, ?, UTC_TIMESTAMP(6))";

    private static final String BUSINESS = "INSERT INTO chaos_business (p_key, due_at) VALUES ";
    private static final String BUSINESS_ROW = "(?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)";

    /** The parameters of each row are its key and the microseconds until the expiry. Executed after the enqueue, so that no message expires later. */
    private static final String EXPIRY = "INSERT INTO chaos_expiry (p_key, expires_at) VALUES ";

    static final String MOVE_EXPIRY =
            "UPDATE chaos_expiry SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND WHERE p_key = ?";

    static final String MOVE_BUSINESS =
            "UPDATE chaos_business SET due_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND WHERE p_key = ?";

    /** In the transaction that withdraws the message. */
    static final String WITHDRAWN = "INSERT INTO chaos_withdrawn (p_key, uid) VALUES (?, UNHEX(REPLACE(?, '-', '')))";

    static final String EFFECT =
            "INSERT INTO chaos_effect (p_key, order_key, seq, node, claim_no, at) VALUES (?, ?, ?, ?, ?,"
                    + " UTC_TIMESTAMP(6))";

    private static final int PAIRS = 500;

    private ChaosTables() {}

    /** The pair of rows that a message uses for its deadlock. */
    static int pair(String key) {
        return Math.floorMod(key.hashCode(), PAIRS);
    }

    /** Locks the first or the second row of a pair. */
    static String lockRow(int pair, int row) {
        return "UPDATE chaos_trap SET n = n + 1 WHERE id = " + (2 * pair + row);
    }

    /** Inserts business rows. The parameters of each row are its key and the microseconds until it is due. */
    public static String insertBusiness(int rows) {
        return BUSINESS + String.join(", ", Collections.nCopies(rows, BUSINESS_ROW));
    }

    static String insertExpiries(int rows) {
        return EXPIRY + String.join(", ", Collections.nCopies(rows, BUSINESS_ROW));
    }

    public static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS chaos_business (p_key VARCHAR(60) PRIMARY KEY, due_at DATETIME(6) NOT"
                            + " NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS chaos_effect (id BIGINT AUTO_INCREMENT PRIMARY KEY, p_key VARCHAR(60)"
                            + " NOT NULL, order_key VARCHAR(60) NULL, seq BIGINT NOT NULL, node INT NOT NULL, claim_no INT"
                            + " NOT NULL, at DATETIME(6) NOT NULL, KEY by_key (p_key)) ENGINE=InnoDB DEFAULT"
                            + " CHARSET=utf8mb4");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS chaos_tick (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) COLLATE utf8mb4_bin NOT"
                            + " NULL, tick_at DATETIME(6) NOT NULL, at DATETIME(6) NOT NULL, KEY by_tick (name, tick_at))"
                            + " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS chaos_expiry (p_key VARCHAR(60) PRIMARY KEY, expires_at DATETIME(6) NOT"
                            + " NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS chaos_withdrawn (p_key VARCHAR(60) PRIMARY KEY, uid BINARY(16) NOT NULL)"
                            + " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS chaos_trap (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
            statement.execute("INSERT IGNORE INTO chaos_trap VALUES "
                    + IntStream.rangeClosed(1, 2 * PAIRS)
                            .mapToObj(id -> "(" + id + ", 0)")
                            .collect(Collectors.joining(", ")));
        }
    }
}

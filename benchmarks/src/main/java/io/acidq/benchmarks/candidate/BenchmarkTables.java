package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** The application's tables, and SQL that candidates share. No table has a unique key on the message id, so that duplicates show. */
public final class BenchmarkTables {
    /** Prefix of the names of the application's tables. */
    public static final String PREFIX = "bench_";

    private static final int MAX_BODY = 200;
    private static final int FETCH_SIZE = 1000;
    private static final int ROWS_PER_INSERT = 100_000;
    private static final String NUMBERS = " FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n"
            + " FROM bench_digit a, bench_digit b, bench_digit c, bench_digit e, bench_digit f) numbers WHERE n < ";

    private BenchmarkTables() {}

    public static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS bench_digit (d BIGINT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
            statement.execute("INSERT IGNORE INTO bench_digit VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
            for (String table : new String[] {"bench_business", "bench_effect"}) {
                statement.execute("CREATE TABLE IF NOT EXISTS " + table
                        + " (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, letter BIGINT NOT NULL,"
                        + " body VARCHAR(200) NOT NULL) ENGINE=InnoDB");
            }
        }
    }

    /** The part of a payload that an application's row stores. */
    public static String body(String text) {
        return text.length() <= MAX_BODY ? text : text.substring(0, MAX_BODY);
    }

    /** Inserts the row that an application writes in the transaction that sends a message, by one statement for each message. */
    public static void insertBusinessRows(Connection connection, List<BenchmarkMessage> messages) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO bench_business (letter, body) VALUES (?, ?)")) {
            for (BenchmarkMessage message : messages) {
                insert.setLong(1, message.id());
                insert.setString(2, body(message.text()));
                insert.executeUpdate();
            }
        }
    }

    /**
     * Inserts many rows by {@code INSERT … SELECT …} and commits.
     *
     * @param insertSelect the statement before its FROM; the column {@code n} numbers the rows of one statement from 0
     */
    public static void insertMany(Connection connection, String insertSelect, long count) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (long inserted = 0; inserted < count; inserted += ROWS_PER_INSERT) {
                statement.executeUpdate(insertSelect + NUMBERS + Math.min(ROWS_PER_INSERT, count - inserted));
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            }
        }
    }

    /**
     * Passes on the message id of each row.
     *
     * @param id   SQL for the message id of a row, or for its digits
     * @param from the rest of the statement after FROM
     */
    public static void forEachId(DataSource pool, String id, String from, LongConsumer ids) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            forEachId(connection, id, from, ids);
        }
    }

    /** Passes each id to the consumer, read on the given connection. */
    public static void forEachId(Connection connection, String id, String from, LongConsumer ids) throws SQLException {
        // Row by row, because there may be millions: Connector/J otherwise reads all rows into memory.
        boolean isMySql = connection.getMetaData().getDriverName().startsWith("MySQL");
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(isMySql ? Integer.MIN_VALUE : FETCH_SIZE);
            try (ResultSet rows = statement.executeQuery("SELECT " + id + " FROM " + from)) {
                while (rows.next()) {
                    ids.accept(parseId(rows.getString(1)));
                }
            }
        }
    }

    private static long parseId(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("a row has '" + digits + "' in place of a message id", e);
        }
    }

    /** SQL for the digits of the message id in a column that contains the message's text after a prefix. */
    public static String idAfter(String prefix, String column) {
        return "LEFT(SUBSTRING_INDEX(" + column + ", '" + prefix + "', -1), " + BenchmarkMessage.ID_DIGITS + ")";
    }
}

package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** Reads which letters the rows of a table are about. */
public final class MessageRows {

    private static final int AT_ONCE = 1000;

    private MessageRows() {}

    /**
     * On a connection of its own; row by row, for there may be millions.
     *
     * @param id   SQL for the id of a row's letter, or for its digits
     * @param rows what comes after FROM
     * @param each hears of each row
     */
    public static void read(DataSource pool, String id, String rows, LongConsumer each) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            read(connection, id, rows, each);
        }
    }

    /** The same on this connection. */
    public static void read(Connection connection, String id, String rows, LongConsumer each) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(rowByRow(connection.getMetaData()));
            try (ResultSet row = statement.executeQuery("SELECT " + id + " FROM " + rows)) {
                while (row.next()) {
                    each.accept(id(row.getString(1)));
                }
            }
        }
    }

    /** Connector/J holds all rows at once unless it is told so. */
    private static int rowByRow(DatabaseMetaData about) throws SQLException {
        return about.getDriverName().startsWith("MySQL") ? Integer.MIN_VALUE : AT_ONCE;
    }

    private static long id(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("a row has '" + digits + "' where the id of its letter was expected", e);
        }
    }

    /** The digits of the id in a text that holds the letter's text, after this mark. */
    public static String after(String mark, String column) {
        return "LEFT(SUBSTRING_INDEX(" + column + ", '" + mark + "', -1), " + BenchmarkMessage.ID_DIGITS + ")";
    }
}

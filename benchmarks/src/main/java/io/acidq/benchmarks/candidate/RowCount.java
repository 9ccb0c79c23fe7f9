package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Counts rows. */
public final class RowCount {

    private RowCount() {}

    /**
     * On a connection of its own.
     *
     * @param rows what comes after {@code SELECT COUNT(*) FROM}
     */
    public static long of(DataSource pool, String rows) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + rows)) {
            row.next();
            return row.getLong(1);
        }
    }
}

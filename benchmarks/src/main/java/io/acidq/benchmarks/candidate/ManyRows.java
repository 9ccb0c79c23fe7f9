package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes many rows by few statements. */
public final class ManyRows {

    private static final int AT_ONCE = 100_000;
    private static final String NUMBERS = " FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n"
            + " FROM bench_digit a, bench_digit b, bench_digit c, bench_digit e, bench_digit f) numbers WHERE n < ";

    private ManyRows() {}

    /**
     * Runs {@code INSERT … SELECT …} for so many rows, and commits.
     *
     * @param insertSelect up to before its FROM; the column {@code n} numbers the rows of one statement, from 0
     */
    public static void insert(Connection connection, String insertSelect, long count) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (long made = 0; made < count; made += AT_ONCE) {
                statement.executeUpdate(insertSelect + NUMBERS + Math.min(AT_ONCE, count - made));
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            }
        }
    }
}

package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The row that an application writes in the transaction in which it sends a message. */
public final class BusinessRows {

    private BusinessRows() {}

    /** One row for each letter, each by a statement of its own. */
    public static void insert(Connection connection, List<BenchmarkMessage> benchmarkMessages) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO bench_business (letter, body) VALUES (?, ?)")) {
            for (BenchmarkMessage benchmarkMessage : benchmarkMessages) {
                insert.setLong(1, benchmarkMessage.id());
                insert.setString(2, Tables.body(benchmarkMessage.text()));
                insert.executeUpdate();
            }
        }
    }
}

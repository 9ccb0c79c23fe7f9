package io.acidq.benchmarks.candidate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The application's tables. Neither has a unique key of the letter: what is done twice is to show. */
public final class Tables {

    /** How the names of the application's tables begin. */
    public static final String PREFIX = "bench_";

    private static final int LONGEST_BODY = 200;

    private Tables() {}

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

    /** What of a payload goes into a row of the application. */
    public static String body(String text) {
        return text.length() <= LONGEST_BODY ? text : text.substring(0, LONGEST_BODY);
    }
}

package io.acidq.testservers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A database for one test. It is deleted with the server, or at the end of this JVM, so tests need not drop it. */
public record TestDatabase(TestServer server, String name) {
    /** The prefix of the databases of this JVM, and of no others. */
    private static final String PREFIX =
            "acidq_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12) + "_";

    private static final AtomicInteger COUNT = new AtomicInteger();

    static String freshName() {
        return PREFIX + COUNT.incrementAndGet();
    }

    /** Cleans up a server that outlives this JVM. */
    static void dropAllOfThisJvm(TestServer server) {
        for (int number = 1; number <= COUNT.get(); number++) {
            new TestDatabase(server, PREFIX + number).drop();
        }
    }

    public String jdbcUrl() {
        return server.jdbcUrl(name);
    }

    public String username() {
        return server.username();
    }

    public String password() {
        return server.password();
    }

    /** Opens a connection as the administrator. */
    public Connection connect() throws SQLException {
        return server.connect(name);
    }

    /** Executes the statements in order on one connection. */
    public void execute(String... sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new TestServerException("Failed in " + name + ": " + String.join("; ", sql), e);
        }
    }

    /** Returns the first column of a query. */
    public List<String> strings(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> strings = new ArrayList<>();
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
            return strings;
        } catch (SQLException e) {
            throw new TestServerException("Failed in " + name + ": " + query, e);
        }
    }

    /** Returns the number of rows of a table, after which a WHERE may follow. */
    public long count(String table) {
        return Long.parseLong(strings("SELECT COUNT(*) FROM " + table).get(0));
    }

    /** Returns the command line of a Spring Boot application on this database. */
    public String[] springArguments(String... further) {
        return Stream.concat(
                        Stream.of(
                                "--spring.datasource.url=" + jdbcUrl(),
                                "--spring.datasource.username=" + username(),
                                "--spring.datasource.password=" + password()),
                        Stream.of(further))
                .toArray(String[]::new);
    }

    public void drop() {
        server.execute("DROP DATABASE IF EXISTS " + name);
    }
}

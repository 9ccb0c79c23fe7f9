package io.acidq.testservers;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running server and the account that may do everything there. Plain JDBC: tests pool as they like.
 *
 * @param urlTemplate its URL, with {@link #DATABASE} where the name of the database belongs
 */
public record TestServer(ServerKind kind, String urlTemplate, String username, String password) {
    /** Stands for the name of the database in {@link #urlTemplate}. */
    static final String DATABASE = "{database}";

    private static final Pattern ADDRESS = Pattern.compile("//(?<host>[^:/,]+)(:(?<port>\\d+))?");

    /** Further parameters are appended with {@code &}: there are always some. */
    public String jdbcUrl(String database) {
        return urlTemplate.replace(DATABASE, database);
    }

    public InetSocketAddress address() {
        Matcher found = ADDRESS.matcher(urlTemplate);
        if (!found.find()) {
            throw new TestServerException("No host in " + urlTemplate + ". Use jdbc:mysql://host:port/ or the like.");
        }
        String port = found.group("port");
        return InetSocketAddress.createUnresolved(found.group("host"), port == null ? 3306 : Integer.parseInt(port));
    }

    /** The same server, reached through a proxy that the test runs. */
    public TestServer through(InetSocketAddress proxy) {
        String address = "//" + proxy.getHostString() + ":" + proxy.getPort();
        return new TestServer(kind, ADDRESS.matcher(urlTemplate).replaceFirst(address), username, password);
    }

    /** A new, empty database of a name that is used nowhere else, so that tests do not meet. */
    public TestDatabase createDatabase() {
        TestDatabase database = new TestDatabase(this, TestDatabase.freshName());
        execute("CREATE DATABASE " + database.name() + " CHARACTER SET utf8mb4");
        return database;
    }

    /** Runs the statements one after the other on one connection, without a database, as the administrator. */
    public void execute(String... sql) {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new TestServerException("Failed at " + jdbcUrl("") + ": " + String.join("; ", sql), e);
        }
    }

    /** A new connection as the administrator. */
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), username, password);
    }
}

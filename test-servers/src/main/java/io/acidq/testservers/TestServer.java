package io.acidq.testservers;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running server and an account with all privileges. It does not pool connections.
 *
 * @param urlTemplate the URL, with {@link #DATABASE} in place of the database name
 */
public record TestServer(ServerKind kind, String urlTemplate, String username, String password) {
    /** The placeholder of the database name in {@link #urlTemplate}. */
    static final String DATABASE = "{database}";

    private static final Pattern ADDRESS = Pattern.compile("//(?<host>[^:/,]+)(:(?<port>\\d+))?");

    /** Returns the URL of a database. It always has parameters, so further ones are appended with {@code &}. */
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

    /** Returns the same server with the address of a proxy. */
    public TestServer through(InetSocketAddress proxy) {
        String address = "//" + proxy.getHostString() + ":" + proxy.getPort();
        return new TestServer(kind, ADDRESS.matcher(urlTemplate).replaceFirst(address), username, password);
    }

    /** Creates an empty database with a unique name, so that tests do not interfere. */
    public TestDatabase createDatabase() {
        TestDatabase database = new TestDatabase(this, TestDatabase.freshName());
        execute("CREATE DATABASE " + database.name() + " CHARACTER SET utf8mb4");
        return database;
    }

    /** Executes the statements in order on one connection as the administrator, without a database. */
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

    /** Opens a connection as the administrator. */
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), username, password);
    }
}

package io.acidq.chaos.environment;

import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database that faults are injected into: a given one, or one on a server of its own, which may be killed.
 *
 * @param url      JDBC URL of the database
 * @param user     the user of the processes
 * @param password the password
 * @param own      the server that this program started, or null
 */
public record TargetServer(
        String url, String user, String password, @Nullable PrivateServer own) implements AutoCloseable {

    private static final Pattern ENCRYPTED =
            Pattern.compile("(sslMode=(?!disable)|useSSL=true|requireSSL=true)", Pattern.CASE_INSENSITIVE);
    private static final Pattern ADDRESS = Pattern.compile("//(?<host>[^:/?]+)(:(?<port>\\d+))?");

    /**
     * A given database, in which the tables stay. Its connections are not encrypted, because the proxy must see where a transaction ends.
     */
    public static TargetServer given(String url, String user, String password) {
        if (!ADDRESS.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "--url must be jdbc:mysql://host:port/database or jdbc:mariadb://…, was " + url);
        }
        if (ENCRYPTED.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "--url enables encryption, but the proxy must read the packets: remove sslMode and useSSL from "
                            + url);
        }
        String plain =
                url.startsWith("jdbc:mariadb:") ? "sslMode=disable" : "sslMode=DISABLED&allowPublicKeyRetrieval=true";
        boolean isPlain = url.contains("sslMode=");
        return new TargetServer(isPlain ? url : url + (url.contains("?") ? "&" : "?") + plain, user, password, null);
    }

    /** Starts a server with a user that is not its administrator, so that read-only mode affects it. */
    public static TargetServer start(ServerKind kind) {
        return prepare(TestServers.startPrivate(kind));
    }

    /** Does the same as {@link #start} on a started server, which closes with the target. */
    public static TargetServer prepare(PrivateServer server) {
        server.server()
                .execute(
                        "CREATE DATABASE chaos CHARACTER SET utf8mb4",
                        "CREATE USER chaos@'%' IDENTIFIED BY 'chaos'",
                        "GRANT ALL ON chaos.* TO chaos@'%'");
        return on(server);
    }

    /** A server that already has database and user by replication. */
    public static TargetServer on(PrivateServer server) {
        return new TargetServer(server.server().jdbcUrl("chaos"), "chaos", "chaos", server);
    }

    /**
     * Checks the database.
     *
     * @throws IllegalArgumentException if it cannot be reached or the URL names no database
     */
    public void check() {
        try (Connection connection = connect()) {
            if (connection.getCatalog() == null || connection.getCatalog().isEmpty()) {
                throw new IllegalArgumentException("--url names no database: " + url);
            }
        } catch (SQLException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IllegalArgumentException("--url: " + url + " cannot be reached: " + cause.getMessage(), e);
        }
    }

    public InetSocketAddress address() {
        Matcher found = ADDRESS.matcher(url);
        if (!found.find()) {
            throw new IllegalStateException("no address in " + url);
        }
        String port = found.group("port");
        return InetSocketAddress.createUnresolved(found.group("host"), port == null ? 3306 : Integer.parseInt(port));
    }

    /** The URL of the same database through a proxy on this machine. */
    public String through(int proxy) {
        return ADDRESS.matcher(url).replaceFirst("//127.0.0.1:" + proxy);
    }

    /** Connects, as the administrator if the server is our own. */
    public Connection connect() throws SQLException {
        return own == null
                ? DriverManager.getConnection(url, user, password)
                : own.server().connect("chaos");
    }

    public boolean isMariaDb() {
        return url.startsWith("jdbc:mariadb:");
    }

    /** Executes statements on such a connection. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}

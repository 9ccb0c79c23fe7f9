package io.acidq.testservers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server that the environment names, for example with {@code ACIDQ_TEST_MYSQL_URL}. */
final class ExternalServer {
    private static final Pattern URL =
            Pattern.compile("(?<server>jdbc:[a-z0-9:]+//[^/?]+)(/[^?]*)?(\\?(?<parameters>.*))?");

    private ExternalServer() {}

    static Optional<TestServer> named(ServerKind kind) {
        String variable = variable(kind);
        String url = setting(variable);
        if (url == null) {
            return Optional.empty();
        }
        String username = setting(variable.replace("_URL", "_USER"));
        String password = setting(variable.replace("_URL", "_PASSWORD"));
        return Optional.of(new TestServer(
                kind, template(kind, url), username == null ? "root" : username, password == null ? "" : password));
    }

    static String variable(ServerKind kind) {
        return "ACIDQ_TEST_" + kind.name() + "_URL";
    }

    /** Removes the database from the URL, because tests create their own. A URL without parameters gets the default parameters. */
    static String template(ServerKind kind, String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches() || !url.startsWith(kind.scheme())) {
            throw new TestServerException(variable(kind) + " is not the JDBC URL of a " + kind.displayName()
                    + " server: " + url + ". Use " + kind.scheme() + "//host:port/.");
        }
        String parameters = parts.group("parameters");
        return parts.group("server") + "/" + TestServer.DATABASE + "?"
                + (parameters == null || parameters.isEmpty() ? kind.urlParameters() : parameters);
    }

    /** Fails with the name of the variable unless the server has the right kind and its user can create databases. */
    static void verify(TestServer server) {
        ServerKind kind = server.kind();
        try {
            String version = version(server);
            if (version.contains(ServerKind.MARIADB.displayName()) != (kind == ServerKind.MARIADB)) {
                throw new TestServerException("it is not " + kind.displayName() + " but version " + version);
            }
            server.createDatabase().drop();
        } catch (SQLException | TestServerException e) {
            throw new TestServerException(
                    inWords(server) + " cannot be used: " + reason(e) + ". Name a " + kind.displayName()
                            + " server, and with …_USER and …_PASSWORD a user who can create databases.",
                    e);
        }
    }

    private static String inWords(TestServer server) {
        return variable(server.kind()) + " (" + server.jdbcUrl("") + " as " + server.username() + ")";
    }

    private static String reason(Exception e) {
        return e.getMessage() + (e.getCause() == null ? "" : ", " + e.getCause().getMessage());
    }

    private static String version(TestServer server) throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT VERSION()")) {
            row.next();
            return row.getString(1);
        }
    }

    private static @Nullable String setting(String name) {
        String property = System.getProperty(name);
        String value = property == null ? System.getenv(name) : property;
        return value == null || value.isBlank() ? null : value;
    }
}

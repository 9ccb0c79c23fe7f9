package io.acidq.testservers;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server that the developer or the build machine names, by {@code ACIDQ_TEST_MYSQL_URL} and the like. */
final class GivenServer {
    private static final Pattern URL =
            Pattern.compile("(?<server>jdbc:[a-z0-9:]+//[^/?]+)(/[^?]*)?(?<parameters>\\?.*)?");

    private GivenServer() {}

    static Optional<TestServer> named(ServerKind kind) {
        String variable = variable(kind);
        String url = setting(variable);
        if (url == null) {
            return Optional.empty();
        }
        String username = setting(variable.replace("_URL", "_USER"));
        String password = setting(variable.replace("_URL", "_PASSWORD"));
        return Optional.of(new TestServer(
                kind, template(url), username == null ? "root" : username, password == null ? "" : password));
    }

    static String variable(ServerKind kind) {
        return "ACIDQ_TEST_" + kind.name() + "_URL";
    }

    /** Any database in the URL gives way: the tests make their own. */
    static String template(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new TestServerException("Not the JDBC URL of a server: " + url + ". Use jdbc:mysql://host:port/.");
        }
        String parameters = parts.group("parameters");
        return parts.group("server") + "/" + TestServer.DATABASE + (parameters == null ? "" : parameters);
    }

    private static @Nullable String setting(String name) {
        String property = System.getProperty(name);
        String value = property == null ? System.getenv(name) : property;
        return value == null || value.isBlank() ? null : value;
    }
}

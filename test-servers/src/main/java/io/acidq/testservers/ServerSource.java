package io.acidq.testservers;

import io.acidq.devdb.DevDatabase;
import io.acidq.devdb.DevDatabaseException;
import java.util.List;
import java.util.Map;

/** Starts servers from Docker if an engine answers, otherwise from package registries. */
final class ServerSource {
    private ServerSource() {}

    static PrivateServer start(ServerKind kind, List<String> extraOptions) {
        List<String> options = kind.options(extraOptions);
        String docker = "no engine answers";
        if (DockerServer.possible()) {
            try {
                return DockerServer.start(kind, options);
            } catch (RuntimeException e) {
                docker = e.toString();
            }
        }
        return fromPackages(kind, options, Map.of(), docker);
    }

    /** Starts a server with a fake clock, never from Docker. */
    static PrivateServer start(ServerKind kind, List<String> extraOptions, FakeClock clock) {
        return fromPackages(
                kind, kind.options(extraOptions), clock.environment(), "not used: a container has no clock of its own");
    }

    private static PrivateServer fromPackages(
            ServerKind kind, List<String> options, Map<String, String> environment, String docker) {
        try {
            return kind == ServerKind.MYSQL
                    ? LocalMySql.start(options, environment)
                    : LocalMariaDb.start(options, environment);
        } catch (DevDatabaseException | TestServerException e) {
            throw new TestServerException(howToGetOne(kind, docker, String.valueOf(e.getMessage())), e);
        }
    }

    private static String howToGetOne(ServerKind kind, String docker, String packages) {
        String variable = ExternalServer.variable(kind);
        return """
                No %s server for the tests.
                  Docker: %s
                  Packages: %s
                Do one of these:
                  1. Set a server: %s=%s//host:port/ and, unless it is root without a password, %s and %s;
                     the account must be allowed to create databases. Environment variable or system property.
                  2. Start Docker.
                  3. %s""".formatted(
                        kind.displayName(),
                        docker,
                        packages,
                        variable,
                        kind.scheme(),
                        variable.replace("_URL", "_USER"),
                        variable.replace("_URL", "_PASSWORD"),
                        kind == ServerKind.MYSQL
                                ? "On Linux, provide apt-get, dpkg and a Debian mirror in /etc/apt/sources.list."
                                : "On Linux x86-64, macOS on ARM or Windows, fix the problem in the line Packages.");
    }

    /** MariaDB from the package registry, by the module that developers use. */
    private record LocalMariaDb(DevDatabase database) implements PrivateServer {
        static LocalMariaDb start(List<String> options, Map<String, String> environment) {
            DevDatabase.Builder builder = DevDatabase.builder();
            options.forEach(builder::arg);
            environment.forEach(builder::env);
            return new LocalMariaDb(builder.start());
        }

        @Override
        public TestServer server() {
            return ServerKind.MARIADB.at("127.0.0.1", database.port(), database.username(), database.password());
        }

        @Override
        public void kill() {
            database.kill();
        }

        @Override
        public void restart() {
            database.restart();
        }

        @Override
        public void close() {
            database.close();
        }
    }
}

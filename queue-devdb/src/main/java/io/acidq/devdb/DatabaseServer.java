package io.acidq.devdb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A database server on 127.0.0.1 that ends with this JVM at the latest. Safe for concurrent use.
 *
 * <p>Applications use {@link DevDatabase} instead.
 */
public final class DatabaseServer implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
    private static final int PORTS_TO_TRY = 5;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final ServerRecipe recipe;
    private final Settings settings;
    private final ServerFolder home;
    private final Watchdog watchdog;
    private int port;
    private ServerProcess process;

    /**
     * The settings of a server.
     *
     * @param port the port, or 0 for any free port
     * @param folder the data folder, which is kept; null for a temporary folder
     * @param options options that override those of the recipe
     */
    public record Settings(int port, @Nullable Path folder, List<String> options) {
        public Settings {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port must be 0 (any free port) to 65535, not " + port);
            }
            options = List.copyOf(options);
        }
    }

    private DatabaseServer(ServerRecipe recipe, Settings settings, ServerFolder home) throws IOException {
        this.recipe = recipe;
        this.settings = settings;
        this.home = home;
        this.watchdog = Watchdog.over(home);
        this.port = settings.port();
        try {
            home.prepare(recipe);
            this.process = run();
        } catch (IOException | RuntimeException e) {
            watchdog.close();
            throw e;
        }
    }

    /** Starts a server and returns when it accepts connections. */
    public static DatabaseServer start(ServerRecipe recipe, Settings settings) {
        try {
            ServerFolder home = ServerFolder.in(settings.folder());
            try {
                DatabaseServer started = new DatabaseServer(recipe, settings, home);
                if (!started.watchdog.present()) {
                    Runtime.getRuntime().addShutdownHook(new Thread(started::close, "acidq-database-stop"));
                }
                return started;
            } catch (IOException | RuntimeException e) {
                home.deleteIfTemporary();
                throw e;
            }
        } catch (IOException e) {
            throw new DevDatabaseException(
                    "cannot create the data folder for " + recipe.name() + " (" + e + "). It needs about 500 MB in "
                            + (settings.folder() == null ? "java.io.tmpdir" : settings.folder()),
                    e);
        }
    }

    public synchronized int port() {
        return port;
    }

    /** Returns the process id of the current run; {@link #restart} changes it. */
    public synchronized long pid() {
        return process.pid();
    }

    /** Returns the folder that contains {@code data} and {@code server.log}. */
    public Path folder() {
        return home.path();
    }

    /** Kills the server as SIGKILL does. The data stay for {@link #restart}. */
    public synchronized void kill() {
        process.kill();
    }

    /** Starts the server again with the same data and port. Shuts a running server down first. */
    public synchronized void restart() {
        process.stop(STOP_TIMEOUT);
        try {
            process = launch();
        } catch (IOException e) {
            throw new DevDatabaseException("cannot restart " + recipe.name() + " in " + home.path(), e);
        }
        if (!process.awaitReady(START_TIMEOUT)) {
            throw portTaken();
        }
    }

    /** Stops the server and deletes a temporary folder. Further calls have no effect. */
    @Override
    public synchronized void close() {
        if (home.temporary()) {
            process.kill();
        } else {
            process.stop(STOP_TIMEOUT);
        }
        home.deleteIfTemporary();
        watchdog.close();
    }

    private ServerProcess run() throws IOException {
        for (int attempt = 0; attempt < PORTS_TO_TRY; attempt++) {
            if (settings.port() == 0) {
                port = freePort();
            }
            ServerProcess started = launch();
            if (started.awaitReady(START_TIMEOUT)) {
                return started;
            }
            if (settings.port() != 0) {
                break;
            }
        }
        throw portTaken();
    }

    private ServerProcess launch() throws IOException {
        ServerProcess started = ServerProcess.start(recipe.name(), command(), recipe.environment(), home.log());
        watchdog.watch(started);
        return started;
    }

    private List<String> command() throws IOException {
        List<String> command = new ArrayList<>(recipe.program());
        command.addAll(recipe.options());
        command.addAll(List.of(
                "--datadir=" + home.data(),
                "--tmpdir=" + home.scratch(),
                "--pid-file=" + home.scratch().resolve("server.pid"),
                "--init-file=" + home.initFile(),
                "--bind-address=127.0.0.1",
                "--port=" + port));
        if (watchdog.present()) {
            command.add("--socket="); // no socket: its path can be too long, and the port is enough
        }
        if (home.belongsToRoot()) {
            command.add("--user=root");
        }
        command.addAll(settings.options());
        return command;
    }

    private DevDatabaseException portTaken() {
        return new DevDatabaseException("port " + port + " on 127.0.0.1 is taken by another process, so "
                + recipe.name() + " could not start. Stop that process, or use port 0 for any free port");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }
}

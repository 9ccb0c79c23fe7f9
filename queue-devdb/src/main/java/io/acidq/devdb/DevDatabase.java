package io.acidq.devdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real MariaDB 11.4 for development and tests, not for production: nothing to install or configure, on a free port of
 * 127.0.0.1, with its data in a temporary folder that goes with it.
 *
 * <pre>{@code
 * DevDatabase db = DevDatabase.start();
 * dataSource.setJdbcUrl(db.jdbcUrl());
 * dataSource.setUsername(db.username());
 * dataSource.setPassword(db.password());
 * }</pre>
 *
 * <p>The server ends at {@link #close}, or shortly after this JVM has ended, however it ended, SIGKILL included (where
 * there is no {@code /bin/sh}, by a shutdown hook, which a kill skips). The first start on a machine unpacks the server
 * into the user's cache folder, see {@link CacheFolder}. Safe for concurrent use; several may run at once.
 */
public final class DevDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DevDatabase.class);

    private final DatabaseServer server;
    private final String database;

    private DevDatabase(DatabaseServer server, String database) {
        this.server = server;
        this.database = database;
    }

    /** With every default; returns when the server accepts connections. */
    public static DevDatabase start() {
        return builder().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** For the MariaDB driver. Connector/J takes {@code jdbc:mysql} with the same {@link #port}. */
    public String jdbcUrl() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database;
    }

    /** May do everything. */
    public String username() {
        return "root";
    }

    /** Empty: only this machine reaches the server. */
    public String password() {
        return "";
    }

    public int port() {
        return server.port();
    }

    /** Of the server process that runs now. */
    public long pid() {
        return server.pid();
    }

    /** Holds {@code data} and {@code server.log}. */
    public Path dataFolder() {
        return server.folder();
    }

    /** Ends the server without a shutdown, as a power cut would, to test how an application recovers. */
    public void kill() {
        server.kill();
    }

    /** Starts the server again with the same data on the same port, after {@link #kill} or in place of the running one. */
    public void restart() {
        server.restart();
    }

    /** Stops the server; a temporary data folder is deleted, a given one is kept. Again: no effect. */
    @Override
    public void close() {
        server.close();
    }

    /** What can be chosen; nothing must. Not for concurrent use. */
    public static final class Builder {
        private final List<String> options = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private int port;
        private @Nullable Path dataFolder;
        private String database = "acidq";

        private Builder() {}

        /** Default 0: any free one. A fixed one is easier to attach tools to, but allows one database at a time. */
        public Builder port(int fixed) {
            port = fixed;
            return this;
        }

        /** A folder that is kept, so that the data are there at the next start. Default: a temporary one. */
        public Builder dataFolder(Path kept) {
            dataFolder = kept;
            return this;
        }

        /** The database that is created if missing, default {@code acidq}; letters, digits and {@code _}. */
        public Builder database(String name) {
            if (!name.matches("[A-Za-z0-9_]{1,64}")) {
                throw new IllegalArgumentException(
                        "Not a database name: '" + name + "'. Use letters, digits and _ only.");
            }
            database = name;
            return this;
        }

        /** A further option of {@code mariadbd}, such as {@code --innodb-buffer-pool-size=1G}. */
        public Builder arg(String option) {
            if (!option.startsWith("--")) {
                throw new IllegalArgumentException("An option of mariadbd starts with --, unlike '" + option + "'");
            }
            options.add(option);
            return this;
        }

        /** A variable for the environment of {@code mariadbd}, such as {@code TZ}. */
        public Builder env(String name, String value) {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException("Not the name of a variable: '" + name + "'");
            }
            environment.put(name, value);
            return this;
        }

        /** Returns when the server accepts connections. */
        public DevDatabase start() {
            long began = System.nanoTime();
            DatabaseServer server = DatabaseServer.start(
                    MariaDb.recipe(database).withEnvironment(environment),
                    new DatabaseServer.Settings(port, dataFolder, options));
            DevDatabase started = new DevDatabase(server, database);
            LOG.info(
                    "MariaDB for development: {} as root without password, pid {}, data in {} ({} ms)",
                    started.jdbcUrl(),
                    started.pid(),
                    started.dataFolder(),
                    (System.nanoTime() - began) / 1_000_000);
            return started;
        }
    }
}

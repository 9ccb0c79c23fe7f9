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
 * A real MariaDB 11.4 for development and tests, not for production. It needs no installation and no configuration. By default it
 * uses a free port of 127.0.0.1 and a temporary data folder that is deleted with it.
 *
 * <pre>{@code
 * DevDatabase db = DevDatabase.start();
 * dataSource.setJdbcUrl(db.jdbcUrl());
 * dataSource.setUsername(db.username());
 * dataSource.setPassword(db.password());
 * }</pre>
 *
 * <p>The server ends at {@link #close}, or shortly after the end of this JVM, also after SIGKILL. (On a platform without
 * {@code /bin/sh} a shutdown hook ends it, which does not run after SIGKILL.) The first start on a machine unpacks the server
 * into the user's cache folder, see {@link CacheFolder}. Safe for concurrent use. Several databases can run at once.
 */
public final class DevDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DevDatabase.class);

    private final DatabaseServer server;
    private final String database;

    private DevDatabase(DatabaseServer server, String database) {
        this.server = server;
        this.database = database;
    }

    /**
     * Starts a database with the default settings, and returns when it accepts connections.
     *
     * @throws DevDatabaseException if the server cannot be unpacked or started
     */
    public static DevDatabase start() {
        return builder().start();
    }

    /** Returns a builder with the default settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the URL for the MariaDB driver. For Connector/J use {@code jdbc:mysql} with the same {@link #port}. */
    public String jdbcUrl() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database;
    }

    /** Returns the user, which has all privileges. */
    public String username() {
        return "root";
    }

    /** Returns the empty password. Only this machine can connect to the server. */
    public String password() {
        return "";
    }

    /** Returns the port on 127.0.0.1. */
    public int port() {
        return server.port();
    }

    /** Returns the process id of the current server process. */
    public long pid() {
        return server.pid();
    }

    /** Returns the folder that contains {@code data} and {@code server.log}. */
    public Path dataFolder() {
        return server.folder();
    }

    /** Kills the server without a shutdown, to test how an application recovers. */
    public void kill() {
        server.kill();
    }

    /** Starts the server again with the same data and port, after {@link #kill} or instead of the running server. */
    public void restart() {
        server.restart();
    }

    /** Stops the server. Deletes a temporary data folder, and keeps a given one. Further calls have no effect. */
    @Override
    public void close() {
        server.close();
    }

    /** Builder of a {@link DevDatabase}. All settings are optional. Not thread-safe. */
    public static final class Builder {
        private final List<String> options = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private int port;
        private @Nullable Path dataFolder;
        private String database = "acidq";

        private Builder() {}

        /** Sets the port, 0 to 65535. Default: 0, any free port. A fixed port is convenient for tools, but allows only one database at a time. */
        public Builder port(int fixed) {
            port = fixed;
            return this;
        }

        /** Sets a data folder, which is kept for the next start. Default: a temporary folder. */
        public Builder dataFolder(Path kept) {
            dataFolder = kept;
            return this;
        }

        /** Sets the database, which is created if it is missing: 1 to 64 letters, digits and {@code _}. Default: {@code acidq}. */
        public Builder database(String name) {
            if (!name.matches("[A-Za-z0-9_]{1,64}")) {
                throw new IllegalArgumentException(
                        "'" + name + "' is no database name: use letters, digits and _ only");
            }
            database = name;
            return this;
        }

        /** Adds an option of {@code mariadbd}, such as {@code --innodb-buffer-pool-size=1G}. */
        public Builder arg(String option) {
            if (!option.startsWith("--")) {
                throw new IllegalArgumentException("an option of mariadbd starts with --, was '" + option + "'");
            }
            options.add(option);
            return this;
        }

        /** Adds an environment variable of {@code mariadbd}, such as {@code TZ}. */
        public Builder env(String name, String value) {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException("'" + name + "' is no name of an environment variable");
            }
            environment.put(name, value);
            return this;
        }

        /**
         * Starts the database, and returns when it accepts connections.
         *
         * @throws DevDatabaseException if the server cannot be unpacked or started
         */
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

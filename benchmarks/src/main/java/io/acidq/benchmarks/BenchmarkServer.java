package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.DatabaseLogin;
import io.acidq.devdb.DevDatabase;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server with a database for the runs: given, or started with durable settings.
 *
 * @param isGiven whether the database was given and stays
 * @param cleanup run at the end
 */
record BenchmarkServer(DatabaseLogin login, boolean isGiven, Runnable cleanup) implements AutoCloseable {

    private static final Pattern URL =
            Pattern.compile("(?<server>jdbc:(mysql|mariadb)(:[a-z]+)?://[^/?]+)(/(?<database>[^?]*))?(?<rest>\\?.*)?");
    private static final Set<String> KINDS = Set.of("mysql", "mariadb");

    private static final String PREFIX = "acidq_bench_";

    /** Opens the server that the command line asks for. */
    static BenchmarkServer of(BenchmarkOptions.DatabaseOptions databaseOptions) throws SQLException {
        String url = databaseOptions.url;
        String kind = databaseOptions.server;
        if (url != null) {
            if (kind != null) {
                throw new IllegalArgumentException(
                        "--server starts a server and --url names one: use only one of them");
            }
            return given(url, databaseOptions.user, databaseOptions.password);
        }
        return kind == null ? embedded() : started(kind);
    }

    private static BenchmarkServer given(String url, String user, String password) throws SQLException {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("--url must be jdbc:mysql://host:port/database or jdbc:mariadb://…, was "
                    + url + "; the database is optional");
        }
        String database = parts.group("database");
        if (database != null && !database.isEmpty()) {
            return new BenchmarkServer(new DatabaseLogin(url, user, password), true, () -> {});
        }
        String created = PREFIX + UUID.randomUUID().toString().substring(0, 8);
        String rest = parts.group("rest") == null ? "" : parts.group("rest");
        DatabaseLogin administrator = new DatabaseLogin(parts.group("server") + "/" + rest, user, password);
        reportOtherDatabases(administrator);
        execute(administrator, "CREATE DATABASE " + created + " CHARACTER SET utf8mb4");
        CleanupActions cleanup = new CleanupActions("drop-database", () -> drop(administrator, created));
        return new BenchmarkServer(
                new DatabaseLogin(parts.group("server") + "/" + created + rest, user, password), false, cleanup::close);
    }

    /** A killed run leaves its database. */
    private static void reportOtherDatabases(DatabaseLogin administrator) throws SQLException {
        List<String> others = new ArrayList<>();
        try (Connection connection = administrator.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW DATABASES LIKE 'acidq\\_bench\\_%'")) {
            while (rows.next()) {
                others.add(rows.getString(1));
            }
        }
        if (!others.isEmpty()) {
            System.err.println("benchmarks: there are databases of other runs: " + String.join(", ", others)
                    + ". Drop those of killed runs. Runs at the same time distort the figures");
        }
    }

    /** Ends all sessions in the database first, because an open snapshot would block the DROP. */
    private static void drop(DatabaseLogin administrator, String database) {
        try {
            endSessions(administrator, database);
            execute(administrator, "SET SESSION lock_wait_timeout = 10", "DROP DATABASE IF EXISTS " + database);
        } catch (SQLException e) {
            System.err.println(
                    "benchmarks: cannot drop the database " + database + ", drop it by hand: " + e.getMessage());
        }
    }

    private static void endSessions(DatabaseLogin administrator, String database) throws SQLException {
        try (Connection connection = administrator.connect();
                Statement statement = connection.createStatement()) {
            List<Long> sessions = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
                while (rows.next()) {
                    if (database.equals(rows.getString("db"))) {
                        sessions.add(rows.getLong("Id"));
                    }
                }
            }
            for (long session : sessions) {
                try {
                    statement.execute("KILL " + session);
                } catch (SQLException e) {
                    // the session has ended already
                }
            }
        }
    }

    private static BenchmarkServer embedded() {
        DevDatabase started = DevDatabase.builder()
                .arg("--log-bin=binlog")
                .arg("--server-id=1")
                .arg("--sync-binlog=1")
                .arg("--innodb-flush-log-at-trx-commit=1")
                .arg("--innodb-buffer-pool-size=512M")
                .arg("--max-connections=500")
                .start();
        return new BenchmarkServer(
                new DatabaseLogin(started.jdbcUrl(), started.username(), started.password()), false, started::close);
    }

    private static BenchmarkServer started(String kind) {
        if (!KINDS.contains(kind)) {
            throw new IllegalArgumentException("--server must be mysql or mariadb, was " + kind);
        }
        PrivateServer started = TestServers.startPrivate(ServerKind.valueOf(kind.toUpperCase(Locale.ROOT)));
        started.server().execute("CREATE DATABASE benchmarks CHARACTER SET utf8mb4");
        DatabaseLogin login = new DatabaseLogin(
                started.server().jdbcUrl("benchmarks"),
                started.server().username(),
                started.server().password());
        return new BenchmarkServer(login, false, started::close);
    }

    private static void execute(DatabaseLogin login, String... statements) throws SQLException {
        try (Connection connection = login.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        cleanup.run();
    }

    /** An action that runs at the end, also when the process is interrupted (Ctrl-C). */
    static final class CleanupActions implements AutoCloseable {

        private final Runnable action;
        private final Thread hook;

        CleanupActions(String name, Runnable action) {
            this.action = action;
            this.hook = new Thread(action, name);
            Runtime.getRuntime().addShutdownHook(hook);
        }

        @Override
        public void close() {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) { // the process is ending, and the hook runs the action
                return;
            }
            action.run();
        }
    }
}

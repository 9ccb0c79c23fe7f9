package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Login;
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
 * A server with a database for us: given, or started and durable.
 *
 * @param isGiven   whether the database is not ours, and stays
 * @param ending what is undone at the end
 */
record BenchmarkServer(Login login, boolean isGiven, Runnable ending) implements AutoCloseable {

    private static final Pattern URL =
            Pattern.compile("(?<server>jdbc:(mysql|mariadb)(:[a-z]+)?://[^/?]+)(/(?<database>[^?]*))?(?<rest>\\?.*)?");
    private static final Set<String> KINDS = Set.of("mysql", "mariadb");

    private static final String PREFIX = "acidq_bench_";

    /** As the command line says. */
    static BenchmarkServer of(BenchmarkOptions.DatabaseOptions databaseOptions) throws SQLException {
        String url = databaseOptions.url;
        String kind = databaseOptions.server;
        if (url != null) {
            if (kind != null) {
                throw new IllegalArgumentException(
                        "--server starts a server, and --url names one: leave one of them out");
            }
            return given(url, databaseOptions.user, databaseOptions.password);
        }
        return kind == null ? embedded() : started(kind);
    }

    private static BenchmarkServer given(String url, String user, String password) throws SQLException {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("--url must be jdbc:mysql://host:port/database or jdbc:mariadb://…, was "
                    + url + "; the database may be left out");
        }
        String database = parts.group("database");
        if (database != null && !database.isEmpty()) {
            return new BenchmarkServer(new Login(url, user, password), true, () -> {});
        }
        String fresh = PREFIX + UUID.randomUUID().toString().substring(0, 8);
        String rest = parts.group("rest") == null ? "" : parts.group("rest");
        Login administrator = new Login(parts.group("server") + "/" + rest, user, password);
        reportOtherDatabases(administrator);
        execute(administrator, "CREATE DATABASE " + fresh + " CHARACTER SET utf8mb4");
        CleanupActions ending = new CleanupActions("drop-database", () -> drop(administrator, fresh));
        return new BenchmarkServer(
                new Login(parts.group("server") + "/" + fresh + rest, user, password), false, ending::close);
    }

    /** A run that was killed has left its database. */
    private static void reportOtherDatabases(Login administrator) throws SQLException {
        List<String> others = new ArrayList<>();
        try (Connection connection = administrator.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW DATABASES LIKE 'acidq\\_bench\\_%'")) {
            while (rows.next()) {
                others.add(rows.getString(1));
            }
        }
        if (!others.isEmpty()) {
            System.err.println("benchmarks: there are databases of other runs, " + String.join(", ", others)
                    + ". Drop those whose run was killed; figures of runs at the same time are of no use");
        }
    }

    /** Those who are still at work in it are ended: a snapshot that is kept open would keep the database too. */
    private static void drop(Login administrator, String database) {
        try {
            endSessions(administrator, database);
            execute(administrator, "SET SESSION lock_wait_timeout = 10", "DROP DATABASE IF EXISTS " + database);
        } catch (SQLException e) {
            System.err.println(
                    "benchmarks: could not drop the database " + database + ", do it by hand: " + e.getMessage());
        }
    }

    private static void endSessions(Login administrator, String database) throws SQLException {
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
                    // it has ended by itself
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
                new Login(started.jdbcUrl(), started.username(), started.password()), false, started::close);
    }

    private static BenchmarkServer started(String kind) {
        if (!KINDS.contains(kind)) {
            throw new IllegalArgumentException("--server must be mysql or mariadb, was " + kind);
        }
        PrivateServer started = TestServers.startPrivate(ServerKind.valueOf(kind.toUpperCase(Locale.ROOT)));
        started.server()
                .execute("CREATE DATABASE benchmarks CHARACTER SET utf8mb4"); // the embedded MariaDB has one of its own
        Login login = new Login(
                started.server().jdbcUrl("benchmarks"),
                started.server().username(),
                started.server().password());
        return new BenchmarkServer(login, false, started::close);
    }

    private static void execute(Login login, String... statements) throws SQLException {
        try (Connection connection = login.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        ending.run();
    }
}

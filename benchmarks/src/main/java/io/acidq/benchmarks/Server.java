package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Login;
import io.acidq.devdb.DevDatabase;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server with a database for us: given, or started and durable.
 *
 * @param ending what is undone at the end
 */
record Server(Login login, Runnable ending) implements AutoCloseable {

    private static final Pattern URL =
            Pattern.compile("(?<server>jdbc:(mysql|mariadb)(:[a-z]+)?://[^/?]+)(/(?<database>[^?]*))?(?<rest>\\?.*)?");
    private static final Set<String> KINDS = Set.of("mysql", "mariadb");

    /** As the command line says. */
    static Server of(Plan.Where where) throws SQLException {
        String url = where.url;
        String kind = where.server;
        if (url != null) {
            if (kind != null) {
                throw new IllegalArgumentException(
                        "--server starts a server, and --url names one: leave one of them out");
            }
            return given(url, where.user, where.password);
        }
        return kind == null ? embedded() : started(kind);
    }

    private static Server given(String url, String user, String password) throws SQLException {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("--url must be jdbc:mysql://host:port/database or jdbc:mariadb://…, was "
                    + url + "; the database may be left out");
        }
        String database = parts.group("database");
        if (database != null && !database.isEmpty()) {
            return new Server(new Login(url, user, password), () -> {});
        }
        String fresh = "acidq_bench_" + UUID.randomUUID().toString().substring(0, 8);
        String rest = parts.group("rest") == null ? "" : parts.group("rest");
        Login administrator = new Login(parts.group("server") + "/" + rest, user, password);
        execute(administrator, "CREATE DATABASE " + fresh + " CHARACTER SET utf8mb4");
        Runnable ending = () -> drop(administrator, fresh);
        Runtime.getRuntime().addShutdownHook(new Thread(ending, "drop-database")); // for Ctrl-C
        return new Server(new Login(parts.group("server") + "/" + fresh + rest, user, password), ending);
    }

    private static void drop(Login administrator, String database) {
        try {
            execute(administrator, "SET SESSION lock_wait_timeout = 5", "DROP DATABASE IF EXISTS " + database);
        } catch (SQLException e) {
            System.err.println("benchmarks: could not drop the database " + database + ": " + e.getMessage());
        }
    }

    private static Server embedded() {
        DevDatabase started = DevDatabase.builder()
                .arg("--log-bin=binlog")
                .arg("--server-id=1")
                .arg("--sync-binlog=1")
                .arg("--innodb-flush-log-at-trx-commit=1")
                .arg("--innodb-buffer-pool-size=512M")
                .arg("--max-connections=500")
                .start();
        return new Server(new Login(started.jdbcUrl(), started.username(), started.password()), started::close);
    }

    private static Server started(String kind) {
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
        return new Server(login, started::close);
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

package io.acidq.benchmarks;

import io.acidq.benchmarks.BenchmarkServer.CleanupActions;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateDatabase.Vendor;
import io.acidq.benchmarks.candidate.DatabaseLogin;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The database of all runs. Before each run it has the application's tables and no table of a candidate. */
final class BenchmarkDatabase implements AutoCloseable {

    private static final String[] SETTINGS = {
        "version",
        "version_comment",
        "innodb_flush_log_at_trx_commit",
        "sync_binlog",
        "log_bin",
        "gtid_mode",
        "innodb_buffer_pool_size",
        "innodb_flush_method",
        "innodb_doublewrite",
        "innodb_redo_log_capacity",
        "innodb_log_file_size",
        "transaction_isolation",
        "tx_isolation",
        "binlog_format",
        "binlog_row_image",
        "max_connections"
    };

    private final BenchmarkServer server;
    private final Vendor vendor;
    private final int maxConnections;
    private final Set<String> prefixes;
    private final @Nullable CleanupActions cleanup;

    /**
     * Opens the database for these candidates.
     *
     * @throws IllegalArgumentException if the database has tables with their prefixes
     */
    BenchmarkDatabase(BenchmarkServer server, List<Candidate> candidates) throws SQLException {
        this.server = server;
        this.prefixes = new LinkedHashSet<>(Set.of(BenchmarkTables.PREFIX));
        candidates.forEach(candidate -> prefixes.addAll(candidate.tablePrefixes()));
        try (Connection connection = login().connect()) {
            vendor = vendor(connection);
            maxConnections = maxConnections(connection);
            Map<String, String> existing = tables(connection);
            if (!existing.isEmpty()) {
                throw new IllegalArgumentException("--url: the database already has the tables "
                        + String.join(", ", existing.keySet())
                        + ". Name another database, or none, so that one is created. If the tables are those of a"
                        + " killed run, drop them.");
            }
        }
        cleanup = server.isGiven() ? new CleanupActions("drop-tables", this::clearOrReport) : null;
    }

    DatabaseLogin login() {
        return server.login();
    }

    Vendor vendor() {
        return vendor;
    }

    int maxConnections() {
        return maxConnections;
    }

    void prepare() throws SQLException {
        try (Connection connection = login().connect()) {
            BenchmarkTables.create(connection);
        }
    }

    /** Drops all tables of a run. */
    void clear() throws SQLException {
        try (Connection connection = login().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION foreign_key_checks = 0, lock_wait_timeout = 60");
            Map<String, String> existing = tables(connection);
            drop(statement, "VIEW", existing);
            drop(statement, "TABLE", existing);
        }
    }

    /** Removes all tables of a run from a given database. */
    @Override
    public void close() {
        if (cleanup != null) {
            cleanup.close();
        }
    }

    private void clearOrReport() {
        try {
            clear();
        } catch (SQLException e) {
            System.err.println("benchmarks: drop the tables whose names start with " + String.join(", ", prefixes)
                    + ", because some may be left: " + e.getMessage());
        }
    }

    /** Drops all tables in one statement, because each DROP is durable and slow. */
    private static void drop(Statement statement, String kind, Map<String, String> existing) throws SQLException {
        List<String> names = existing.entrySet().stream()
                .filter(table -> table.getValue().equals("VIEW") == kind.equals("VIEW"))
                .map(table -> "`" + table.getKey() + "`")
                .toList();
        if (!names.isEmpty()) {
            statement.execute("DROP " + kind + " " + String.join(", ", names));
        }
    }

    /** Settings of the server that influence the figures. */
    Map<String, Object> info() throws SQLException {
        Map<String, String> variables = new TreeMap<>();
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("vendor", vendor.name());
        try (Connection connection = login().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW GLOBAL VARIABLES")) {
            while (rows.next()) {
                variables.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
            DatabaseMetaData driver = connection.getMetaData();
            info.put("driver", driver.getDriverName() + " " + driver.getDriverVersion());
        }
        for (String setting : SETTINGS) {
            if (variables.containsKey(setting)) {
                info.put(setting, variables.get(setting));
            }
        }
        return info;
    }

    /** The names and types of tables and views with the prefixes. */
    private Map<String, String> tables(Connection connection) throws SQLException {
        Map<String, String> tables = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema ="
                                + " DATABASE()")) {
            while (rows.next()) {
                String name = rows.getString(1);
                if (prefixes.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith)) {
                    tables.put(name, rows.getString(2));
                }
            }
        }
        return tables;
    }

    private static int maxConnections(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@max_connections")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static Vendor vendor(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT VERSION()")) {
            row.next();
            return row.getString(1).toLowerCase(Locale.ROOT).contains("mariadb") ? Vendor.MARIADB : Vendor.MYSQL;
        }
    }
}

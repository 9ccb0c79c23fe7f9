package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Login;
import io.acidq.benchmarks.candidate.Tables;
import io.acidq.benchmarks.candidate.Vendor;
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

/** The database in which everything happens: before each run there are the application's tables in it and none of a candidate's. */
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

    private final BenchmarkServer benchmarkServer;
    private final Vendor vendor;
    private final int connections;
    private final Set<String> prefixes;
    private final @Nullable CleanupActions clearing;

    /**
     * For these candidates.
     *
     * @throws IllegalArgumentException when the database has tables of their names
     */
    BenchmarkDatabase(BenchmarkServer benchmarkServer, List<Candidate> candidates) throws SQLException {
        this.benchmarkServer = benchmarkServer;
        this.prefixes = new LinkedHashSet<>(Set.of(Tables.PREFIX));
        candidates.forEach(candidate -> prefixes.addAll(candidate.tablePrefixes()));
        try (Connection connection = login().connect()) {
            vendor = vendor(connection);
            connections = connections(connection);
            Map<String, String> there = tables(connection);
            if (!there.isEmpty()) {
                throw new IllegalArgumentException("--url: the database has tables that would be in the way: "
                        + String.join(", ", there.keySet())
                        + ". Name another database, or none, so that one is made. If they were left by a run that was"
                        + " killed, drop them.");
            }
        }
        clearing = benchmarkServer.isGiven() ? new CleanupActions("drop-tables", this::leave) : null;
    }

    Login login() {
        return benchmarkServer.login();
    }

    Vendor vendor() {
        return vendor;
    }

    /** How many the server accepts. */
    int connections() {
        return connections;
    }

    void prepare() throws SQLException {
        try (Connection connection = login().connect()) {
            Tables.create(connection);
        }
    }

    /** Drops all tables that a run may have made. */
    void clear() throws SQLException {
        try (Connection connection = login().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION foreign_key_checks = 0, lock_wait_timeout = 60");
            Map<String, String> there = tables(connection);
            drop(statement, "VIEW", there);
            drop(statement, "TABLE", there);
        }
    }

    /** A database that is not ours has none of a run's tables in it afterwards. */
    @Override
    public void close() {
        if (clearing != null) {
            clearing.close();
        }
    }

    private void leave() {
        try {
            clear();
        } catch (SQLException e) {
            System.err.println("benchmarks: tables may be left in the database whose names begin with "
                    + String.join(", ", prefixes) + ", drop them: " + e.getMessage());
        }
    }

    /** By one statement: each is durable, which takes its time. */
    private static void drop(Statement statement, String kind, Map<String, String> there) throws SQLException {
        List<String> names = there.entrySet().stream()
                .filter(table -> table.getValue().equals("VIEW") == kind.equals("VIEW"))
                .map(table -> "`" + table.getKey() + "`")
                .toList();
        if (!names.isEmpty()) {
            statement.execute("DROP " + kind + " " + String.join(", ", names));
        }
    }

    /** What of the server bears on the figures. */
    Map<String, Object> about() throws SQLException {
        Map<String, String> variables = new TreeMap<>();
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("vendor", vendor.name());
        try (Connection connection = login().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW GLOBAL VARIABLES")) {
            while (rows.next()) {
                variables.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
            DatabaseMetaData driver = connection.getMetaData();
            about.put("driver", driver.getDriverName() + " " + driver.getDriverVersion());
        }
        for (String setting : SETTINGS) {
            if (variables.containsKey(setting)) {
                about.put(setting, variables.get(setting));
            }
        }
        return about;
    }

    /** Names of tables and views with our prefixes, and what they are. */
    private Map<String, String> tables(Connection connection) throws SQLException {
        Map<String, String> tables = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = DATABASE()")) {
            while (rows.next()) {
                String name = rows.getString(1);
                if (prefixes.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith)) {
                    tables.put(name, rows.getString(2));
                }
            }
        }
        return tables;
    }

    private static int connections(Connection connection) throws SQLException {
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

package io.acidq.chaos.fault;

import io.acidq.chaos.arena.Arena;
import io.acidq.chaos.arena.Debt;
import io.acidq.testservers.PrivateServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Harms the server, and what others do on it. */
final class ServerFaults {

    /** What harms others on the same server too. */
    static final Set<String> OF_ALL = Set.of("read-only", "no-connections");

    private final Arena arena;

    ServerFaults(Arena arena) {
        this.arena = arena;
    }

    List<Fault> all() {
        List<Fault> faults = new ArrayList<>(List.of(
                new Fault("kill-connection", random -> killSome("", random)),
                new Fault("kill-query", random -> killSome("QUERY ", random)),
                new Fault("read-only", this::readOnly),
                new Fault("no-connections", this::noConnections),
                new Fault("long-snapshot", this::longSnapshot)));
        PrivateServer own = arena.target().own();
        if (own != null) {
            faults.add(new Fault("kill-server", random -> killServer(own, random)));
        }
        return faults;
    }

    private boolean killSome(String what, Random random) throws SQLException {
        int killed = 0;
        try (Connection connection = arena.target().connect()) {
            List<Long> others = others(connection);
            for (int left = 5; left > 0 && !others.isEmpty(); left--) {
                killed += kill(connection, what, others.remove(random.nextInt(others.size())));
            }
        }
        return killed > 0;
    }

    private List<Long> others(Connection connection) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                                + " AND id <> CONNECTION_ID()")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private static int kill(Connection connection, String what, long id) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("KILL " + what + id);
            return 1;
        } catch (SQLException e) { // it has gone by itself
            return 0;
        }
    }

    private boolean readOnly(Random random) throws Exception {
        String setting = arena.target().isMariaDb() ? "read_only" : "super_read_only";
        Debt debt = arena.owe(
                () -> arena.target().execute("SET GLOBAL " + setting + " = OFF", "SET GLOBAL read_only = OFF"));
        try {
            arena.target().execute("SET GLOBAL " + setting + " = ON");
            TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(4000));
            return arena.isRefusedToWrite(); // an administrator may write all the same: then nothing is shown
        } finally {
            debt.close();
        }
    }

    /** All connections are closed, and no new one is given for a while. */
    private boolean noConnections(Random random) throws Exception {
        try (Connection connection = arena.target().connect();
                Statement statement = connection.createStatement()) {
            long usual = number(statement, "SELECT @@GLOBAL.max_connections");
            Debt debt = arena.owe(() -> statement.execute("SET GLOBAL max_connections = " + usual));
            try {
                statement.execute("SET GLOBAL max_connections = 1");
                others(connection).forEach(id -> kill(connection, "", id));
                TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(4000));
            } finally {
                debt.close();
            }
        }
        return true;
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private boolean longSnapshot(Random random) throws Exception {
        try (Connection connection = arena.target().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            number(statement, "SELECT COUNT(*) FROM chaos_effect");
            TimeUnit.MILLISECONDS.sleep(5000 + random.nextInt(5000));
            statement.execute("COMMIT");
        }
        return true;
    }

    private static boolean killServer(PrivateServer server, Random random) throws InterruptedException {
        server.kill();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3000));
        server.restart();
        return true;
    }
}

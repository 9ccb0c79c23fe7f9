package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.Environment.PendingRepair;
import io.acidq.chaos.fault.FaultSchedule.Fault;
import io.acidq.testservers.PrivateServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Ends connections and statements on the server, refuses new connections, and affects the server itself. */
final class ServerFaults {

    /** Faults that affect other users of the server too. */
    static final Set<String> OF_WHOLE_SERVER = Set.of("read-only", "no-connections");

    private static final int TOO_MANY_CONNECTIONS = 1040;
    private static final int INTERRUPTED = 1317;
    private static final int AT_ONCE = 5;
    private static final int CHECKS = 10;
    private static final int MAX_OPENED = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Environment environment;

    ServerFaults(Environment environment) {
        this.environment = environment;
    }

    List<Fault> all() {
        List<Fault> faults = new ArrayList<>(List.of(
                new Fault("kill-connection", this::killConnections),
                new Fault("kill-query", this::killQueries),
                new Fault("no-connections", this::noConnections),
                new Fault("read-only", this::readOnly),
                new Fault("long-snapshot", this::longSnapshot)));
        PrivateServer own = environment.target().own();
        if (own != null) {
            faults.add(new Fault("kill-server", random -> killServer(own, random)));
        }
        return faults;
    }

    private boolean readOnly(Random random) throws Exception {
        String setting = environment.target().isMariaDb() ? "read_only" : "super_read_only";
        PendingRepair pendingRepair = environment.addPendingRepair(
                () -> environment.target().execute("SET GLOBAL " + setting + " = OFF", "SET GLOBAL read_only = OFF"));
        try {
            environment.target().execute("SET GLOBAL " + setting + " = ON");
            TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(4000));
            return environment.isRefusedToWrite(); // not for an administrator, who may still write
        } finally {
            pendingRepair.close();
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Has an effect if effects were written that the snapshot does not show, because the server then keeps deleted rows. */
    private boolean longSnapshot(Random random) throws Exception {
        String lastEffect = "SELECT COALESCE(MAX(id), 0) FROM chaos_effect";
        try (Connection connection = environment.target().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            TimeUnit.MILLISECONDS.sleep(5000 + random.nextInt(5000));
            return number(statement, lastEffect) < environment.count(lastEffect);
        }
    }

    private static boolean killServer(PrivateServer server, Random random) throws InterruptedException {
        server.kill();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3000));
        server.restart();
        return true;
    }

    private boolean killConnections(Random random) throws SQLException {
        int killed = 0;
        try (Connection connection = environment.target().connect()) {
            List<Long> others = others(connection, "TRUE");
            for (int left = AT_ONCE; left > 0 && !others.isEmpty(); left--) {
                killed += kill(connection, "", others.remove(random.nextInt(others.size())));
            }
        }
        return killed > 0;
    }

    /** Has an effect if a process got the error that its statement was interrupted. The kill of an idle connection has none. */
    private boolean killQueries(Random random) throws Exception {
        int interrupted = 0;
        try (Connection connection = environment.target().connect()) {
            long start = System.nanoTime();
            while (interrupted < AT_ONCE && System.nanoTime() - start < PATIENCE.toNanos()) {
                List<Long> busy = others(connection, "command IN ('Query', 'Execute')");
                if (!busy.isEmpty() && isInterrupted(connection, busy.get(random.nextInt(busy.size())))) {
                    interrupted++;
                }
            }
        }
        return interrupted > 0;
    }

    private boolean isInterrupted(Connection connection, long id) throws InterruptedException {
        int before = environment.errors(id, INTERRUPTED);
        kill(connection, "QUERY ", id);
        for (int left = CHECKS; left > 0 && environment.errors(id, INTERRUPTED) == before; left--) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return environment.errors(id, INTERRUPTED) > before;
    }

    private static List<Long> others(Connection connection, String condition) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                                + " AND id <> CONNECTION_ID() AND " + condition)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private static int kill(Connection connection, String kind, long id) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("KILL " + kind + id);
            return 1;
        } catch (SQLException e) { // it has ended already
            return 0;
        }
    }

    /**
     * Closes all connections and limits the server for a while to the minimum of new ones: one, or ten on MariaDB. Has an effect if a connection was
     * refused.
     */
    private boolean noConnections(Random random) throws Exception {
        try (Connection connection = environment.target().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@GLOBAL.max_connections")) {
            row.next();
            String reset = "SET GLOBAL max_connections = " + row.getLong(1);
            PendingRepair pendingRepair = environment.addPendingRepair(() -> statement.execute(reset));
            try {
                int before = environment.errors(0, TOO_MANY_CONNECTIONS);
                statement.execute("SET GLOBAL max_connections = 1");
                others(connection, "TRUE").forEach(id -> kill(connection, "", id));
                TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(4000));
                return environment.errors(0, TOO_MANY_CONNECTIONS) > before || isRefused();
            } finally {
                pendingRepair.close();
            }
        }
    }

    /** Opens all remaining connections, in case the processes need none. */
    private boolean isRefused() throws Exception {
        Deque<Connection> opened = new ArrayDeque<>();
        try {
            while (opened.size() < MAX_OPENED) {
                opened.push(DriverManager.getConnection(
                        environment.target().url(),
                        environment.target().user(),
                        environment.target().password()));
            }
            return false;
        } catch (SQLException e) {
            return e.getErrorCode() == TOO_MANY_CONNECTIONS;
        } finally {
            while (!opened.isEmpty()) {
                opened.pop().close();
            }
        }
    }
}

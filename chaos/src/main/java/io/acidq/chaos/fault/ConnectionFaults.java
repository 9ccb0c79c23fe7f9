package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.PendingRepair;
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
import java.util.concurrent.TimeUnit;

/** Ends connections and statements on the server, and refuses new ones. */
final class ConnectionFaults {

    private static final int TOO_MANY_CONNECTIONS = 1040;
    private static final int INTERRUPTED = 1317;
    private static final int AT_ONCE = 5;
    private static final int CHECKS = 10;
    private static final int CROWD = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Environment environment;

    ConnectionFaults(Environment environment) {
        this.environment = environment;
    }

    List<Fault> all() {
        return List.of(
                new Fault("kill-connection", this::killConnections),
                new Fault("kill-query", this::killQueries),
                new Fault("no-connections", this::noConnections));
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

    /** Strikes when a process was told that its statement was interrupted: one that is idle, or just done, is killed without harm. */
    private boolean killQueries(Random random) throws Exception {
        int interrupted = 0;
        try (Connection connection = environment.target().connect()) {
            long began = System.nanoTime();
            while (interrupted < AT_ONCE && System.nanoTime() - began < PATIENCE.toNanos()) {
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

    private static List<Long> others(Connection connection, String which) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                                + " AND id <> CONNECTION_ID() AND " + which)) {
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

    /**
     * All connections are closed, and for a while only the fewest are given that the server knows: one, ten by MariaDB. Strikes when one
     * was refused.
     */
    private boolean noConnections(Random random) throws Exception {
        try (Connection connection = environment.target().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@GLOBAL.max_connections")) {
            row.next();
            String asBefore = "SET GLOBAL max_connections = " + row.getLong(1);
            PendingRepair pendingRepair = environment.addPendingRepair(() -> statement.execute(asBefore));
            try {
                int before = environment.errors(0, TOO_MANY_CONNECTIONS);
                statement.execute("SET GLOBAL max_connections = 1");
                others(connection, "TRUE").forEach(id -> kill(connection, "", id));
                TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(4000));
                return environment.errors(0, TOO_MANY_CONNECTIONS) > before || isCrowdRefused();
            } finally {
                pendingRepair.close();
            }
        }
    }

    /** Takes what connections there are: processes that have got along with fewer get none any more. */
    private boolean isCrowdRefused() throws Exception {
        Deque<Connection> crowd = new ArrayDeque<>();
        try {
            while (crowd.size() < CROWD) {
                crowd.push(DriverManager.getConnection(
                        environment.target().url(),
                        environment.target().user(),
                        environment.target().password()));
            }
            return false;
        } catch (SQLException e) {
            return e.getErrorCode() == TOO_MANY_CONNECTIONS;
        } finally {
            while (!crowd.isEmpty()) {
                crowd.pop().close();
            }
        }
    }
}

package io.acidq.chaos.fault;

import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.PendingRepair;
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

/** Harms the server. */
final class ServerFaults {

    /** What harms others on the same server too. */
    static final Set<String> OF_ALL = Set.of("read-only", "no-connections");

    private final Environment environment;

    ServerFaults(Environment environment) {
        this.environment = environment;
    }

    List<Fault> all() {
        List<Fault> faults = new ArrayList<>(
                List.of(new Fault("read-only", this::readOnly), new Fault("long-snapshot", this::longSnapshot)));
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
            return environment.isRefusedToWrite(); // an administrator may write all the same: then nothing is shown
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

    /** Strikes when effects were written that the snapshot does not show: for them it keeps rows that are gone. */
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
}

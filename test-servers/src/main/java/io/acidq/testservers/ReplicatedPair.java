package io.acidq.testservers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A MySQL server and its replica for one test, which can kill the source and promote the replica. Both end at {@link #close}, or with this
 * JVM. Not thread-safe.
 */
public final class ReplicatedPair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** As the source numbers its commits; anything else than one interval from the first is no beginning of its history. */
    private static final Pattern FROM_THE_FIRST = Pattern.compile("[0-9a-f-]{36}:1(-(?<last>\\d+))?");

    private final PrivateServer source;
    private final PrivateServer replica;
    private String received = "";

    /** When the source answers a COMMIT. */
    public enum ReplicationMode {
        /** At once; the replica receives it later. */
        ASYNCHRONOUS,
        /** After the replica has confirmed it, without a timeout ({@code AFTER_SYNC}). */
        SEMI_SYNCHRONOUS
    }

    private ReplicatedPair(PrivateServer source, PrivateServer replica) {
        this.source = source;
        this.replica = replica;
    }

    static ReplicatedPair start(ReplicationMode replicationMode) {
        ReplicatedPair pair = new ReplicatedPair(member(1), member(2));
        try {
            pair.connect(replicationMode);
            return pair;
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    /** Always from packages, because the servers must reach each other at 127.0.0.1. */
    private static PrivateServer member(int number) {
        List<String> options = new ArrayList<>(ServerKind.MYSQL.options(List.of(
                "--server-id=" + number,
                "--binlog-format=ROW",
                "--skip-replica-start=ON",
                "--plugin-load-add=rpl_semi_sync_source=semisync_source.so",
                "--plugin-load-add=rpl_semi_sync_replica=semisync_replica.so")));
        return LocalMySql.start(options, Map.of());
    }

    private void connect(ReplicationMode replicationMode) {
        boolean confirmed = replicationMode == ReplicationMode.SEMI_SYNCHRONOUS;
        source.server()
                .execute(
                        "CREATE USER replication@'%' IDENTIFIED BY 'replication'",
                        "GRANT REPLICATION SLAVE ON *.* TO replication@'%'");
        replica.server()
                .execute(
                        "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = "
                                + source.server().address().getPort()
                                + ", SOURCE_USER = 'replication', SOURCE_PASSWORD = 'replication',"
                                + " GET_SOURCE_PUBLIC_KEY = 1, SOURCE_AUTO_POSITION = 1, SOURCE_CONNECT_RETRY = 1",
                        "SET GLOBAL rpl_semi_sync_replica_enabled = " + confirmed,
                        "START REPLICA",
                        "SET GLOBAL super_read_only = ON");
        await(
                "the replica does not connect",
                () -> one(
                                replica.server(),
                                "SELECT SERVICE_STATE FROM performance_schema.replication_connection_status")
                        .equals("ON"));
        if (confirmed) {
            source.server()
                    .execute(
                            "SET GLOBAL rpl_semi_sync_source_wait_point = AFTER_SYNC",
                            "SET GLOBAL rpl_semi_sync_source_timeout = 4294967295",
                            "SET GLOBAL rpl_semi_sync_source_enabled = ON");
            await(
                    "no replica confirms",
                    () -> status("Rpl_semi_sync_source_clients").equals("1")
                            && status("Rpl_semi_sync_source_status").equals("ON"));
        }
    }

    /** Returns the source, which accepts writes until {@link #promote}. */
    public PrivateServer source() {
        return source;
    }

    /** Returns the replica, which refuses writes until {@link #promote}. */
    public PrivateServer replica() {
        return replica;
    }

    /** Stops replication: later commits of the source do not reach the replica. */
    public void cutReplication() {
        replica.server().execute("STOP REPLICA IO_THREAD");
    }

    /** Promotes the replica after it has applied all received transactions. The source must have been killed. */
    public void promote() {
        TestServer server = replica.server();
        server.execute("STOP REPLICA IO_THREAD");
        String all =
                one(server, "SELECT RECEIVED_TRANSACTION_SET FROM performance_schema.replication_connection_status");
        if (!one(server, "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + all + "', " + PATIENCE.toSeconds() + ")")
                .equals("0")) {
            throw new TestServerException("The replica does not apply what it has received: " + all);
        }
        server.execute("STOP REPLICA", "RESET REPLICA ALL");
        received = one(server, "SELECT @@GLOBAL.gtid_executed");
        server.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
    }

    /** Starts the killed source again for inspection. It refuses writes and has no replica. */
    public TestServer reopenSource() {
        source.restart();
        source.server().execute("SET GLOBAL super_read_only = ON");
        return source.server();
    }

    /**
     * Returns the number of transactions of the reopened source that its replica did not have when it was promoted. Fails unless the transactions
     * of the replica are a prefix of those of the source.
     */
    public long lostTransactions() {
        return last(one(source.server(), "SELECT @@GLOBAL.gtid_executed")) - last(received);
    }

    private static long last(String gtids) {
        Matcher all = FROM_THE_FIRST.matcher(gtids);
        if (!all.matches()) {
            throw new TestServerException("Not the beginning of one server's history: " + gtids);
        }
        return all.group("last") == null ? 1 : Long.parseLong(all.group("last"));
    }

    private String status(String name) {
        return one(
                source.server(),
                "SELECT VARIABLE_VALUE FROM performance_schema.global_status WHERE VARIABLE_NAME = '" + name + "'");
    }

    /** Returns the single value of a query, or an empty string. */
    private static String one(TestServer server, String query) {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? String.valueOf(row.getString(1)).replace("\n", "") : "";
        } catch (SQLException e) {
            throw new TestServerException("Failed at " + server.jdbcUrl("") + ": " + query, e);
        }
    }

    private static void await(String otherwise, BooleanSupplier condition) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new TestServerException("Replication does not begin: " + otherwise + ".");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestServerException("Interrupted while replication began.", e);
            }
        }
    }

    @Override
    public void close() {
        try {
            replica.close();
        } finally {
            source.close();
        }
    }
}

package io.acidq.testservers;

import io.acidq.devdb.DatabaseServer;
import io.acidq.devdb.ServerRecipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Galera cluster with three MariaDB members for one test, which can kill them. They end at {@link #close}, or with this JVM. */
public final class GaleraCluster implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(1);

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final List<DatabaseServer> members = new ArrayList<>();

    private GaleraCluster() {}

    static GaleraCluster start() {
        GaleraCluster cluster = new GaleraCluster();
        try {
            cluster.startMembers(DebianGalera.recipe());
            return cluster;
        } catch (RuntimeException e) {
            String log = cluster.firstLog();
            cluster.close();
            throw new TestServerException("The cluster does not form. Its first member:\n" + log, e);
        }
    }

    private String firstLog() {
        try {
            return members.isEmpty()
                    ? "was not started"
                    : Command.lastLines(members.get(0).folder().resolve("server.log"), 60);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Starts the members one after the other. Each receives missing transactions from a running member. */
    private void startMembers(ServerRecipe recipe) {
        List<Integer> ports = new ArrayList<>();
        for (int number = 0; number < MEMBERS; number++) {
            int port = freePort();
            List<String> options = new ArrayList<>(number == 0 ? firstMember(port) : laterMember(port, ports));
            options.add("--server-id=" + (number + 1));
            members.add(DatabaseServer.start(recipe, new DatabaseServer.Settings(0, null, options)));
            ports.add(port);
            awaitSize(number, number + 1);
        }
    }

    /** Returns the options of the first member, which bootstraps the cluster. */
    static List<String> firstMember(int groupPort) {
        List<String> options = new ArrayList<>(laterMember(groupPort, List.of()));
        options.add("--wsrep-new-cluster");
        return options;
    }

    /** Returns the options of a member that joins the cluster at these ports. */
    private static List<String> laterMember(int groupPort, List<Integer> others) {
        List<String> addresses =
                others.stream().map(port -> "127.0.0.1:" + port).toList();
        return List.of(
                "--wsrep-cluster-address=gcomm://" + String.join(",", addresses),
                "--wsrep-provider-options="
                        + String.join(
                                ";",
                                "gmcast.listen_addr=tcp://127.0.0.1:" + groupPort,
                                "ist.recv_addr=127.0.0.1:" + freePort(),
                                "gcache.size=32M",
                                "pc.recovery=no",
                                // The cluster detects a killed member within seconds.
                                "evs.keepalive_period=PT0.5S",
                                "evs.suspect_timeout=PT2S",
                                "evs.inactive_timeout=PT4S"));
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on 127.0.0.1", e);
        }
    }

    /** Returns a member by number, from 0. */
    public TestServer member(int number) {
        return ServerKind.MARIADB.at("127.0.0.1", members.get(number).port(), "root", "");
    }

    /** Kills a member with SIGKILL. It cannot rejoin, because it would need a state transfer. */
    public void kill(int number) {
        members.get(number).kill();
    }

    /** Makes this member's part of the cluster the primary component, as an operator does after the loss of the majority. */
    public void makePrimary(int number) {
        member(number).execute("SET GLOBAL wsrep_provider_pc_bootstrap = ON");
    }

    /** Returns the number of transactions of this member that failed certification, or that were aborted by transactions of other members. */
    public long conflicts(int number) {
        return Long.parseLong(status(number, "wsrep_local_cert_failures"))
                + Long.parseLong(status(number, "wsrep_local_bf_aborts"));
    }

    /** Whether the member accepts statements. */
    public boolean isReady(int number) {
        return status(number, "wsrep_ready").equals("ON");
    }

    private void awaitSize(int number, int size) {
        long start = System.nanoTime();
        while (!isReady(number) || !status(number, "wsrep_cluster_size").equals(Integer.toString(size))) {
            if (System.nanoTime() - start > JOIN_TIMEOUT.toNanos()) {
                throw new TestServerException("Member " + number + " does not join the cluster.");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestServerException("Interrupted while the cluster began.", e);
            }
        }
    }

    private String status(int number, String name) {
        try (Connection connection = member(number).connect("");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            return row.next() ? row.getString(2) : "";
        } catch (SQLException e) {
            throw new TestServerException("Cannot read " + name + " of member " + number + ".", e);
        }
    }

    @Override
    public void close() {
        members.forEach(DatabaseServer::close);
    }
}

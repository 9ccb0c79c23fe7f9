package io.acidq.testservers;

import io.acidq.devdb.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** A member of a Galera cluster. After a kill it cannot rejoin, because it would need a state transfer. */
record GaleraNode(DatabaseServer process) implements RunningServer {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    /** Returns the options of the first member, which bootstraps the cluster. */
    static List<String> alone() {
        return first(freePort());
    }

    static List<String> first(int groupPort) {
        List<String> options = new ArrayList<>(member(groupPort, List.of()));
        options.add("--wsrep-new-cluster");
        return options;
    }

    /** Returns the options of a member that joins the cluster at these ports. */
    static List<String> member(int groupPort, List<Integer> others) {
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

    @Override
    public TestServer server() {
        return ServerKind.MARIADB.at("127.0.0.1", process.port(), "root", "");
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException("a killed member cannot rejoin the cluster: start another one");
    }

    @Override
    public void close() {
        process.close();
    }
}

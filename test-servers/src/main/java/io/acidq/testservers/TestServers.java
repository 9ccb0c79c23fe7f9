package io.acidq.testservers;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Real servers for tests. The sources are, in this order: the server that {@code ACIDQ_TEST_MYSQL_URL} or {@code ACIDQ_TEST_MARIADB_URL}
 * names (with {@code …_USER} and {@code …_PASSWORD}; environment variables or system properties); a container, if a Docker engine
 * answers; the server programs from package registries, without installation. If none works, {@link #get} fails and names the next
 * step; tests are never skipped. Safe for concurrent use.
 */
public final class TestServers {
    /** Tests that examine a whole server, or that load it heavily, use another server than the other modules. */
    private static final int NUMBER = Integer.getInteger("acidq.test.server", 1);

    private static final Map<ServerKind, TestServer> FOUND = new ConcurrentHashMap<>();

    private TestServers() {}

    /**
     * Returns the server of this build. All test JVMs of the build with the same system property {@code acidq.test.server} (default 1) share it. It starts at
     * the first call and ends after the build. A server that the environment names serves all numbers.
     */
    public static TestServer get(ServerKind kind) {
        return FOUND.computeIfAbsent(kind, TestServers::find);
    }

    private static TestServer find(ServerKind kind) {
        Optional<TestServer> given = ExternalServer.named(kind);
        if (given.isEmpty()) {
            return SharedBuildServer.of(ProcessIdentity.ofBuild(), kind, NUMBER);
        }
        TestServer server = given.get();
        ExternalServer.verify(server);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> TestDatabase.dropAllOfThisJvm(server), "acidq-drop-test-databases"));
        return server;
    }

    /** Starts a server for one test that kills it or needs other options. Never uses a server that the environment names. */
    public static PrivateServer startPrivate(ServerKind kind, String... extraOptions) {
        return ServerSource.start(kind, List.of(extraOptions));
    }

    /** Starts a private server with the time of this clock: see {@link #startPrivate(ServerKind, String...)}. */
    public static PrivateServer startPrivate(ServerKind kind, FakeClock clock, String... extraOptions) {
        return ServerSource.start(kind, List.of(extraOptions), clock);
    }

    /** Starts a MySQL source with a replica for one failover test. Never uses servers that the environment names. */
    public static ReplicatedPair startReplicated(ReplicatedPair.ReplicationMode replicationMode) {
        return ReplicatedPair.start(replicationMode);
    }

    /** Starts a Galera cluster of MariaDB for one test. Never uses a cluster that the environment names. */
    public static GaleraCluster startGalera() {
        return GaleraCluster.start();
    }
}

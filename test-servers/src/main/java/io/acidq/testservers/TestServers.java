package io.acidq.testservers;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Real servers for tests, in this order: one that {@code ACIDQ_TEST_MYSQL_URL} or {@code ACIDQ_TEST_MARIADB_URL} names
 * (with {@code …_USER} and {@code …_PASSWORD}; environment variables or system properties); a container where a Docker
 * engine answers; else the real programs from package registries, for which nothing gets installed. Where none of them
 * works, {@link #get} fails and says what to do: tests are never skipped. Safe for concurrent use.
 */
public final class TestServers {
    /** Tests that look at a server as a whole, or do much beside those of other modules, are given another one. */
    private static final int NUMBER = Integer.getInteger("acidq.test.server", 1);

    private static final Map<ServerKind, TestServer> FOUND = new ConcurrentHashMap<>();

    private TestServers() {}

    /**
     * The server of this build, the same in all its test JVMs that the system property {@code acidq.test.server} (default 1) gives the same number;
     * started at the first call and ended after the build. The environment names one for all.
     */
    public static TestServer get(ServerKind kind) {
        return FOUND.computeIfAbsent(kind, TestServers::find);
    }

    private static TestServer find(ServerKind kind) {
        Optional<TestServer> given = ExternalServer.named(kind);
        if (given.isEmpty()) {
            return BuildServer.of(Build.current(), kind, NUMBER);
        }
        TestServer server = given.get();
        ExternalServer.verify(server);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> TestDatabase.dropAllOfThisJvm(server), "acidq-drop-test-databases"));
        return server;
    }

    /** A further server for one test that kills it or needs other options; never one that the environment names. */
    public static PrivateServer startPrivate(ServerKind kind, String... extraOptions) {
        return PrivateServer.start(kind, List.of(extraOptions));
    }

    /** As {@link #startPrivate(ServerKind, String...)}, a server that lives by this clock. */
    public static PrivateServer startPrivate(ServerKind kind, FakeClock clock, String... extraOptions) {
        return new PrivateServer(ServerSource.start(kind, List.of(extraOptions), clock));
    }

    /** A MySQL source with a replica for one test that lets it fail over; never servers that the environment names. */
    public static ReplicatedPair startReplicated(ReplicatedPair.ReplicationMode replicationMode) {
        return ReplicatedPair.start(replicationMode);
    }

    /** A Galera cluster of MariaDB for one test; never one that the environment names. */
    public static GaleraCluster startGalera() {
        return GaleraCluster.start();
    }
}

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
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final Map<String, TestServer> FOUND = new ConcurrentHashMap<>();

    private TestServers() {}

    /** The server of this build, the same in all its test JVMs; started at the first call and ended after the build. */
    public static TestServer get(ServerKind kind) {
        return get(kind, FIRST);
    }

    /** Another server of this build for tests that would wait for those of the first; the same where the environment names one. */
    public static TestServer second(ServerKind kind) {
        return get(kind, isGiven(kind) ? FIRST : SECOND);
    }

    /** Whether the environment names a server of this kind, which then is the only one. */
    public static boolean isGiven(ServerKind kind) {
        return GivenServer.named(kind).isPresent();
    }

    private static TestServer get(ServerKind kind, int number) {
        return FOUND.computeIfAbsent(kind.name() + '-' + number, key -> find(kind, number));
    }

    private static TestServer find(ServerKind kind, int number) {
        Optional<TestServer> given = GivenServer.named(kind);
        if (given.isEmpty()) {
            return BuildServer.of(Build.current(), kind, number);
        }
        TestServer server = given.get();
        GivenServer.verify(server);
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
    public static ReplicatedPair startReplicated(ReplicatedPair.Manner manner) {
        return ReplicatedPair.start(manner);
    }

    /** A Galera cluster of MariaDB for one test; never one that the environment names. */
    public static GaleraCluster startGalera() {
        return GaleraCluster.start();
    }
}

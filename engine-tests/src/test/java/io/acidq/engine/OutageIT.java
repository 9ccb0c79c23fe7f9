package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that breaks under two engines at work: each message runs once, no node is declared dead, and each change of state is reported once. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class OutageIT extends OutageTests {

    @Parameter
    private ServerKind kind;

    @BeforeParameterizedClassInvocation
    void startServer() {
        startServer(kind);
    }

    @AfterParameterizedClassInvocation
    void stopServer() {
        server.close();
    }

    /**
     * A stop waited 102 s for a database that was away and returned true, and its unstarted messages stayed claimed.
     * Takes some eight seconds: the stop waits for the database, and the server restarts.
     */
    @Test
    void stopsInTimeAndReturnsFalseWhenTheDatabaseIsAway() throws Exception {
        Engine engine = engine(2);
        place(Q, 0, 199);
        awaitUntil(() -> effects() > 5);
        server.kill();
        long began = System.nanoTime();
        assertThat(engine.stop(Duration.ofSeconds(1))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(45));
        server.restart();
        borrow().close(); // a pool tries to reach a server that was away only from time to time
        Engine next = engine(2);
        awaitRows("effect", 200);
        assertThat(next.deadLetters().list(Q, 1)).isEmpty();
    }

    /** Takes some ten seconds: a killed server starts again and recovers, and both engines must be seen down before and up after it. */
    @Test
    void runsEachMessageOnceWhenTheServerIsKilledUnderLoadAndRestarts() throws Exception {
        List<Engine> engines = List.of(engine(3), engine(3));
        List<Integer> nodes = nodes(engines);
        place(Q, 0, 399);
        awaitUntil(() -> effects() > 20);
        server.kill();
        awaitUntil(() -> states(engines, DatabaseState.DOWN));
        assertThat(engines).allSatisfy(e -> {
            assertThat(e.health().isWorking()).isFalse();
            assertThat(e.health().lastError()).isPresent();
        });
        server.restart();
        awaitUntil(() -> states(engines, DatabaseState.UP));
        everythingWasDoneOnce(engines, nodes, 400, "DOWN", "UP");
    }

    @Test
    void waitsWhileTheServerIsReadOnlyAndContinuesByItself() throws Exception {
        List<Engine> engines = List.of(engine(3), engine(3));
        List<Integer> nodes = nodes(engines);
        place(Q, 0, 299);
        awaitUntil(() -> effects() > 10);
        try (Connection admin = server.server().connect("")) {
            readOnly(admin, true);
            awaitUntil(() -> states(engines, DatabaseState.READ_ONLY));
            long then = effects();
            Duration enoughToBury = QUICK.heartbeatInterval().multipliedBy(3L * QUICK.missedHeartbeatsLimit());
            awaitUntil(
                    () -> engines.stream().allMatch(e -> e.health().inStateFor().compareTo(enoughToBury) > 0));
            assertThat(effects()).isEqualTo(then);
            readOnly(admin, false);
        }
        awaitUntil(() -> states(engines, DatabaseState.UP));
        everythingWasDoneOnce(engines, nodes, 300, "READ_ONLY", "UP");
    }

    /** Takes some twenty seconds: a shortage is over when no task has missed a connection for fifteen. */
    @Tag("full")
    @Test
    void keepsItsHeartbeatWhenTheServerRefusesConnectionsAndContinuesAfterwards() throws Exception {
        List<Engine> engines = List.of(engine(3), engine(3));
        List<Integer> nodes = nodes(engines);
        place(Q, 0, 2999); // more than run before connections are refused
        awaitUntil(() -> effects() > 10);
        List<Connection> hogs = new ArrayList<>();
        try {
            awaitUntil(() -> {
                pool.getHikariPoolMXBean()
                        .softEvictConnections(); // all but those in use, such as the one of the heartbeat
                hog(hogs);
                return states(engines, DatabaseState.IMPAIRED);
            });
            awaitHeartbeats(engines);
        } finally {
            for (Connection hog : hogs) {
                hog.close();
            }
        }
        awaitUntil(() -> states(engines, DatabaseState.UP));
        everythingWasDoneOnce(engines, nodes, 3_000, "IMPAIRED", "UP");
    }

    @Test
    void keepsItsHeartbeatWhenItsConnectionIsKilled() throws Exception {
        List<Engine> engines = List.of(engine(1), engine(1));
        List<Integer> nodes = nodes(engines);
        try (Connection admin = server.server().connect("")) {
            for (int times = 0; times < 5; times++) {
                killAll(admin);
                awaitHeartbeats(engines);
            }
        }
        // a pool does not test a connection that was returned less than half a second ago
        pool.getHikariPoolMXBean().softEvictConnections();
        for (int seq = 0; seq < 20; seq++) {
            enqueueUntilItSucceeds(
                    Q, new Step("m", seq), "m" + seq); // the engines' tasks may get the first connections
        }
        awaitDrained();
        assertThat(nodes(engines)).isEqualTo(nodes);
        assertThat(telemetry).allSatisfy(h -> assertThat(h.incidents).isEmpty());
        assertThat(effects()).isEqualTo(20);
    }

    /**
     * A promoted replica had not received the acknowledgement of a message: the follower, which the engine had claimed before, overtook it.
     */
    @Test
    void startsNoMessageClaimedBeforeAnOutageUntilItWasRequeued() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        sql("CREATE TABLE before_its_end LIKE acidq_message");
        Engine engine = listening(on(Q, (step, delivery) -> {
                    insertEffect(step, delivery.attempt());
                    if (step.seq() == 1 && delivery.claimNo() == 1) {
                        remember(transactions.connection());
                    } else if (step.k().equals("other")) {
                        inside.countDown();
                        go.await();
                    }
                    return Outcome.done();
                })
                .withConcurrency(1)
                .withRetry(ONE_ATTEMPT));
        enqueueOrdered(Q, "k", 1);
        awaitDrained();
        enqueue(Q, new Step("other", 0));
        inside.await();
        enqueueOrdered(Q, "k", 2);
        awaitRows("acidq_message WHERE owner <> 0", 2);
        String database = strings("SELECT DATABASE()").get(0);
        try (Connection admin = server.server().connect(database)) {
            lockOut(admin, true);
            awaitUntil(() -> states(List.of(engine), DatabaseState.DOWN));
            try (var undo = admin.createStatement()) {
                undo.execute("INSERT INTO acidq_message SELECT * FROM before_its_end");
                undo.execute("DELETE FROM effect");
            }
            go.countDown();
            lockOut(admin, false);
        }
        awaitDrained();
        assertThat(strings("SELECT seq FROM effect WHERE k = 'k' ORDER BY id")).containsExactly("1", "2");
        assertNoAttemptUsedUp();
    }

    /** After a failover the connection may lead to another server, which does not have the claim. */
    @Test
    void callsNoHandlerForAClaimFromBeforeTheOutageOnAConnectionFromAfterIt() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        reopenWith(pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
            @Override
            public void beforeConnection() {
                if (Thread.currentThread().getName().startsWith("acidq-" + Q + "-")) {
                    asked.countDown();
                    awaitLatch(go);
                }
            }
        }));
        Queue<String> starts = new ConcurrentLinkedQueue<>();
        Engine engine = listening(on(Q, (step, delivery) -> {
                    starts.add("claim " + delivery.claimNo() + ", attempt " + delivery.attempt());
                    return effectOfAttempt(step, delivery);
                })
                .withRetry(ONE_ATTEMPT));
        place(Q, 0, 0);
        asked.await();
        try (Connection admin =
                server.server().connect(strings("SELECT DATABASE()").get(0))) {
            lockOut(admin, true);
            awaitUntil(() -> states(List.of(engine), DatabaseState.DOWN));
            lockOut(admin, false);
        }
        awaitUntil(() -> states(List.of(engine), DatabaseState.UP));
        go.countDown();
        awaitDrained();
        assertThat(starts)
                .hasSize(1)
                .first()
                .satisfies(start ->
                        assertThat(start).isNotEqualTo("claim 1, attempt 1").endsWith("attempt 1"));
        assertThat(effects()).isEqualTo(1);
    }

    private static void remember(Connection connection) throws SQLException {
        try (var copy = connection.createStatement()) {
            copy.execute("INSERT INTO before_its_end SELECT * FROM acidq_message");
        }
    }

    /** The application's account is locked, and its sessions are ended. */
    private void lockOut(Connection admin, boolean value) throws SQLException {
        try (var alter = admin.createStatement()) {
            alter.execute("ALTER USER app@'%' ACCOUNT " + (value ? "LOCK" : "UNLOCK"));
        }
        killAll(admin);
    }

    /**
     * A handler holds all connections of the pool three times as long as a node may miss heartbeats. While it takes them the other
     * tasks request none: otherwise they would compete for the last ones for minutes. Takes half a minute, until they have returned what they
     * keep.
     */
    @Test
    void declaresNoNodeDeadWhileAHandlerHoldsEveryConnectionOfThePool() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        reopenWith(pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
            @Override
            public void beforeConnection() {
                String thread = Thread.currentThread().getName();
                if (begun.getCount() == 0
                        && thread.startsWith("acidq-")
                        && !thread.equals("acidq-heartbeat")
                        && !thread.startsWith("acidq-hog-")) {
                    awaitLatch(inside);
                }
            }
        }));
        List<Engine> engines = List.of(
                engine(1),
                listening(on("hog", (step, delivery) -> {
                            begun.countDown();
                            List<Connection> held = new ArrayList<>();
                            while (held.size() < POOL - 1) { // the heartbeat has one
                                held.add(borrow());
                            }
                            insertEffect(held.get(0), step, delivery.attempt());
                            inside.countDown();
                            go.await();
                            for (Connection each : held) {
                                each.close();
                            }
                            return Outcome.done();
                        })
                        .external()
                        .withRetry(ONE_ATTEMPT)));
        List<Integer> nodes = nodes(engines);
        place("hog", 0, 0);
        inside.await();
        Duration long3 = QUICK.heartbeatInterval().multipliedBy(3L * QUICK.missedHeartbeatsLimit());
        long until = System.nanoTime() + long3.toNanos();
        awaitUntil(() -> System.nanoTime() > until && states(engines, DatabaseState.IMPAIRED));
        awaitHeartbeats(engines);
        go.countDown();
        awaitDrained();
        assertThat(nodes(engines)).isEqualTo(nodes);
        assertThat(effects()).isEqualTo(1);
        assertThat(telemetry).allSatisfy(h -> assertThat(h.incidents).isEmpty());
    }

    /** External work is not repeated because its acknowledgement could not be written for a while. */
    @Test
    void acknowledgesExternalWorkWhenTheDatabaseIsWritableAgain() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = listening(on(Q, (step, delivery) -> {
                    calls.incrementAndGet();
                    inside.countDown();
                    go.await();
                    return Outcome.done();
                })
                .external()
                .withRetry(ONE_ATTEMPT));
        place(Q, 0, 0);
        inside.await();
        try (Connection admin = server.server().connect("")) {
            readOnly(admin, true);
            go.countDown();
            awaitUntil(() -> states(List.of(engine), DatabaseState.READ_ONLY));
            readOnly(admin, false);
        }
        awaitDrained();
        assertThat(calls).hasValue(1);
    }

    /** Pools keep connections for longer than some servers do. */
    @Test
    void reportsNothingWhenTheServerClosesIdleConnections() throws Exception {
        List<Engine> engines = List.of(engine(2), engine(2));
        List<Integer> nodes = nodes(engines);
        server.server().execute("SET GLOBAL wait_timeout = 2", "SET GLOBAL interactive_timeout = 2");
        try {
            pool.getHikariPoolMXBean().softEvictConnections(); // only new connections have the timeout
            place(Q, 0, 19);
            awaitDrained();
            await().pollDelay(Duration.ofSeconds(3)).until(() -> true); // longer than the server waits
            everythingWasDoneOnce(engines, nodes, 20);
        } finally {
            server.server().execute("SET GLOBAL wait_timeout = 28800", "SET GLOBAL interactive_timeout = 28800");
        }
    }

    private void everythingWasDoneOnce(List<Engine> engines, List<Integer> nodes, int messages, String... states)
            throws Exception {
        place(Q, messages, messages + 19);
        awaitDrained();
        assertEachEffectOnce(messages + 20);
        assertNoAttemptUsedUp();
        assertThat(rows("acidq_dead")).isZero();
        assertThat(nodes(engines)).as("the same nodes as before").isEqualTo(nodes);
        assertThat(telemetry).allSatisfy(h -> {
            assertThat(h.databaseStates).as("changes of state").containsExactly(states);
            assertThat(h.incidents).as("nothing else").isEmpty();
        });
    }

    private Engine engine(int workers) {
        return listening(on(Q, this::effectOfAttempt).withConcurrency(workers).withRetry(ONE_ATTEMPT));
    }

    private static List<Integer> nodes(List<Engine> engines) {
        return engines.stream().map(Engine::node).toList();
    }

    /** Waits for a heartbeat of each engine after this call. */
    private static void awaitHeartbeats(List<Engine> engines) {
        long began = System.nanoTime();
        awaitUntil(() -> {
            Duration since = Duration.ofNanos(System.nanoTime() - began);
            return engines.stream()
                    .allMatch(e -> e.health().lastHeartbeat().orElseThrow().compareTo(since) < 0);
        });
    }

    /** Takes the connections that the server has left, as another application does. */
    private void hog(List<Connection> hogs) {
        try {
            for (; ; ) {
                hogs.add(DriverManager.getConnection(server.server().jdbcUrl(""), "app", ""));
            }
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).as("too many connections: %s", e).isEqualTo(1040);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Borrows a connection, in competition with the engines' tasks. */
    private Connection borrow() {
        for (; ; ) {
            try {
                return pool.getConnection();
            } catch (SQLException e) {
                // the engines' tasks were quicker: once more
            }
        }
    }

    private void killAll(Connection admin) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (var statement = admin.createStatement();
                var rows = statement.executeQuery("SELECT id FROM information_schema.processlist WHERE user = 'app'")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        for (long id : ids) {
            try (var kill = admin.createStatement()) {
                kill.execute("KILL " + id);
            } catch (SQLException e) {
                assertThat(e.getErrorCode()).as("gone already: %s", e).isEqualTo(1094);
            }
        }
    }
}

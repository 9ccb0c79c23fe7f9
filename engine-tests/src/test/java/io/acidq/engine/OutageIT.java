package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.telemetry.DatabaseState;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that breaks under two engines at work: everything happens once, nobody is buried, and each change of state is told once. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class OutageIT extends OutageFixture {

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
     * A stop waited 102 s for a database that was away, said that all was well, and its unstarted messages stayed claimed.
     * Takes some eight seconds: a stop gives a database that is away its time, and the server starts again.
     */
    @Test
    void stopsInTimeAndSaysThatItCouldNotEndWell() throws Exception {
        Engine engine = engine(2);
        place(Q, 0, 200);
        await().until(() -> effects() > 5);
        server.kill();
        long began = System.nanoTime();
        assertThat(engine.stop(Duration.ofSeconds(1))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(45));
        server.restart();
        borrow().close(); // a pool asks a server that was away only now and then
        Engine next = engine(2);
        await().atMost(Duration.ofSeconds(90)).until(() -> effects() == 200);
        assertThat(next.deadLetters().list(Q, 1)).isEmpty();
    }

    /** Takes some ten seconds: a killed server starts again and recovers, and both engines must be seen down before and up after it. */
    @Test
    void doesEverythingOnceWhenTheServerIsKilledUnderLoadAndComesBack() throws Exception {
        List<Engine> engines = List.of(engine(3), engine(3));
        List<Integer> nodes = nodes(engines);
        place(Q, 0, 400);
        await().until(() -> effects() > 20);
        server.kill();
        await().atMost(Duration.ofSeconds(30)).until(() -> states(engines, DatabaseState.DOWN));
        assertThat(engines).allSatisfy(e -> {
            assertThat(e.health().isWorking()).isFalse();
            assertThat(e.health().lastError()).isPresent();
        });
        server.restart();
        await().atMost(Duration.ofSeconds(60)).until(() -> states(engines, DatabaseState.UP));
        everythingWasDoneOnce(engines, nodes, 400, "DOWN", "UP");
    }

    @Test
    void waitsWhileTheServerTakesNoWritesAndGoesOnByItself() throws Exception {
        List<Engine> engines = List.of(engine(3), engine(3));
        List<Integer> nodes = nodes(engines);
        place(Q, 0, 300);
        await().until(() -> effects() > 10);
        try (Connection admin = server.server().connect("")) {
            readOnly(admin, true);
            await().until(() -> states(engines, DatabaseState.READ_ONLY));
            long then = effects();
            Duration enoughToBury = EngineFixture.QUICK
                    .heartbeatInterval()
                    .multipliedBy(3L * EngineFixture.QUICK.missedHeartbeatsLimit());
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> engines.stream()
                            .allMatch(e -> e.health().inStateFor().compareTo(enoughToBury) > 0));
            assertThat(effects()).isEqualTo(then);
            readOnly(admin, false);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> states(engines, DatabaseState.UP));
        everythingWasDoneOnce(engines, nodes, 300, "READ_ONLY", "UP");
    }

    /** Takes some twenty seconds: a shortage is over when no task has missed a connection for fifteen. */
    @Test
    void goesOnBeatingWhenTheServerGivesNoMoreConnectionsAndWorksOnWhenItDoes() throws Exception {
        List<Engine> engines = List.of(engine(3), engine(3));
        List<Integer> nodes = nodes(engines);
        place(Q, 0, 3_000); // more than is done before nobody gets a connection
        await().until(() -> effects() > 10);
        List<Connection> hogs = new ArrayList<>();
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                engineFixture
                        .pool
                        .getHikariPoolMXBean()
                        .softEvictConnections(); // all but those in use, the heart's among them
                hog(hogs);
                return states(engines, DatabaseState.IMPAIRED);
            });
            awaitHeartbeats(engines);
        } finally {
            for (Connection hog : hogs) {
                hog.close();
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> states(engines, DatabaseState.UP));
        everythingWasDoneOnce(engines, nodes, 3_000, "IMPAIRED", "UP");
    }

    @Test
    void beatsOnWhenItsConnectionIsKilled() throws Exception {
        List<Engine> engines = List.of(engine(1), engine(1));
        List<Integer> nodes = nodes(engines);
        try (Connection admin = server.server().connect("")) {
            for (int times = 0; times < 5; times++) {
                killAll(admin);
                awaitHeartbeats(engines);
            }
        }
        // a pool gives a killed connection unseen within half a second of its coming back
        engineFixture.pool.getHikariPoolMXBean().softEvictConnections();
        for (int seq = 0; seq < 20; seq++) {
            engineFixture.enqueueAsOften(
                    Q, new Step("m", seq), "m" + seq); // the engines' tasks may get the first connections
        }
        engineFixture.drained();
        assertThat(nodes(engines)).isEqualTo(nodes);
        assertThat(heard).allSatisfy(h -> assertThat(h.others).isEmpty());
        assertThat(effects()).isEqualTo(20);
    }

    /**
     * A replica was promoted that had not received the end of a message: its follower, which the engine had claimed before, overtook it.
     */
    @Test
    void startsNothingThatItHadClaimedBeforeTheServerWasAwayUntilItHasBeenGivenBack() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        engineFixture.sql("CREATE TABLE before_its_end LIKE acidq_message");
        Engine engine = listening(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.attempt());
                    if (step.seq() == 1 && delivery.claimNo() == 1) {
                        remember(engineFixture.transactions.connection());
                    } else if (step.k().equals("other")) {
                        inside.countDown();
                        go.await();
                    }
                    return Outcome.done();
                })
                .withConcurrency(1)
                .withRetry(ONE_ATTEMPT));
        engineFixture.enqueue(Q, new Step("k", 1), options().orderingKey("k"));
        engineFixture.drained();
        engineFixture.enqueue(Q, new Step("other", 0), options());
        inside.await();
        engineFixture.enqueue(Q, new Step("k", 2), options().orderingKey("k"));
        await().until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0") == 2);
        String database = engineFixture.strings("SELECT DATABASE()").get(0);
        try (Connection admin = server.server().connect(database)) {
            lockOut(admin, true);
            await().atMost(Duration.ofSeconds(30)).until(() -> states(List.of(engine), DatabaseState.DOWN));
            try (var undo = admin.createStatement()) {
                undo.execute("INSERT INTO acidq_message SELECT * FROM before_its_end");
                undo.execute("DELETE FROM effect");
            }
            go.countDown();
            lockOut(admin, false);
        }
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT seq FROM effect WHERE k = 'k' ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(engineFixture.strings("SELECT DISTINCT node FROM effect"))
                .as("no attempt was burnt")
                .containsExactly("1");
    }

    /** After a failover it may be another server, where the claim was never made. */
    @Test
    void callsNoHandlerForAClaimOfBeforeTheOutageThatItsConnectionCameAfter() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        engineFixture.close();
        engineFixture = world(pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
            @Override
            public void beforeConnection() {
                if (Thread.currentThread().getName().startsWith("acidq-" + Q + "-")) {
                    asked.countDown();
                    awaitLatch(go);
                }
            }
        }));
        Queue<String> starts = new ConcurrentLinkedQueue<>();
        Engine engine = listening(Listener.on(Q, Step.class, (step, delivery) -> {
                    starts.add("claim " + delivery.claimNo() + ", attempt " + delivery.attempt());
                    engineFixture.effect(step, delivery.attempt());
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT));
        place(Q, 0, 1);
        asked.await();
        try (Connection admin = server.server()
                .connect(engineFixture.strings("SELECT DATABASE()").get(0))) {
            lockOut(admin, true);
            await().atMost(Duration.ofSeconds(30)).until(() -> states(List.of(engine), DatabaseState.DOWN));
            lockOut(admin, false);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> states(List.of(engine), DatabaseState.UP));
        go.countDown();
        engineFixture.drained();
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
     * The pool's connections are all in a handler's hands for three times as long as a silent node may be silent. While it takes them the other
     * tasks ask for none: otherwise they take the last ones from each other for minutes. Takes half a minute, until they have given back what they
     * keep.
     */
    @Test
    void buriesNobodyWhilstAHandlerHoldsEveryConnectionOfThePool() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        engineFixture.close();
        engineFixture = world(pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
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
                listening(Listener.on("hog", Step.class, (step, delivery) -> {
                            begun.countDown();
                            List<Connection> held = new ArrayList<>();
                            while (held.size() < POOL - 1) { // the heart has one
                                held.add(borrow());
                            }
                            CrashingEngineProcess.insert(held.get(0), step, delivery);
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
        place("hog", 0, 1);
        inside.await();
        Duration long3 =
                EngineFixture.QUICK.heartbeatInterval().multipliedBy(3L * EngineFixture.QUICK.missedHeartbeatsLimit());
        long until = System.nanoTime() + long3.toNanos();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> System.nanoTime() > until && states(engines, DatabaseState.IMPAIRED));
        awaitHeartbeats(engines);
        go.countDown();
        engineFixture.drained();
        assertThat(nodes(engines)).isEqualTo(nodes);
        assertThat(effects()).isEqualTo(1);
        assertThat(heard).allSatisfy(h -> assertThat(h.others).isEmpty());
    }

    /** What a handler has done outside the database is not done again because its end could not be written for a while. */
    @Test
    void writesTheEndOfExternalWorkWhenTheDatabaseTakesItAgain() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = listening(Listener.on(Q, Step.class, (step, delivery) -> {
                    calls.incrementAndGet();
                    inside.countDown();
                    go.await();
                    return Outcome.done();
                })
                .external()
                .withRetry(ONE_ATTEMPT));
        place(Q, 0, 1);
        inside.await();
        try (Connection admin = server.server().connect("")) {
            readOnly(admin, true);
            go.countDown();
            await().until(() -> states(List.of(engine), DatabaseState.READ_ONLY));
            readOnly(admin, false);
        }
        engineFixture.drained();
        assertThat(calls).hasValue(1);
    }

    /** Pools keep connections for longer than some servers do. */
    @Test
    void tellsOfNothingWhenTheServerClosesWhatIsIdleForTwoSeconds() throws Exception {
        List<Engine> engines = List.of(engine(2), engine(2));
        List<Integer> nodes = nodes(engines);
        server.server().execute("SET GLOBAL wait_timeout = 2", "SET GLOBAL interactive_timeout = 2");
        try {
            engineFixture.pool.getHikariPoolMXBean().softEvictConnections(); // the new ones are those that do not last
            place(Q, 0, 20);
            engineFixture.drained();
            await().pollDelay(Duration.ofSeconds(3)).until(() -> true); // longer than the server waits
            everythingWasDoneOnce(engines, nodes, 20);
        } finally {
            server.server().execute("SET GLOBAL wait_timeout = 28800", "SET GLOBAL interactive_timeout = 28800");
        }
    }

    private void everythingWasDoneOnce(List<Engine> engines, List<Integer> nodes, int messages, String... states)
            throws Exception {
        place(Q, messages, messages + 20);
        engineFixture.drained();
        assertThat(engineFixture.strings("SELECT seq FROM effect"))
                .as("each effect once")
                .hasSize(messages + 20)
                .doesNotHaveDuplicates();
        assertThat(engineFixture.strings("SELECT DISTINCT node FROM effect"))
                .as("no attempt was burnt")
                .containsExactly("1");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
        assertThat(nodes(engines)).as("the same nodes as before").isEqualTo(nodes);
        assertThat(heard).allSatisfy(h -> {
            assertThat(h.states).as("each change told once").containsExactly(states);
            assertThat(h.others).as("nothing else").isEmpty();
        });
    }

    private Engine engine(int workers) {
        return listening(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.attempt());
                    return Outcome.done();
                })
                .withConcurrency(workers)
                .withRetry(ONE_ATTEMPT));
    }

    private static List<Integer> nodes(List<Engine> engines) {
        return engines.stream().map(Engine::node).toList();
    }

    /** Waits until each of them has beaten after this moment: what it did before proves nothing. */
    private static void awaitHeartbeats(List<Engine> engines) {
        long began = System.nanoTime();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
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

    /** Of the pool, whoever else wants it. */
    private Connection borrow() {
        for (; ; ) {
            try {
                return engineFixture.pool.getConnection();
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

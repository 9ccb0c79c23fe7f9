package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineTests.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.GaleraCluster;
import io.acidq.testservers.TestServer;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * Two engines, each on a member of its own of a Galera cluster of three.
 * Takes some twenty seconds: three members start, one after the other, and each death is noticed by the cluster's own timeouts.
 */
class GaleraIT {

    private static final String Q = "galera";
    private static final int PRODUCERS = 2;
    private static final int EACH_PHASE = 150;
    private static final String EFFECTS = "SELECT COUNT(*) FROM effect";

    private final AtomicLong seq = new AtomicLong();
    private final AtomicBoolean placing = new AtomicBoolean(true);
    private final Set<Long> placed = ConcurrentHashMap.newKeySet();

    /** Producers are never far ahead of the handlers. */
    private final Semaphore ahead = new Semaphore(40);

    /** Conflicts end with 1213 at COMMIT, a member without a majority says 1047: neither uses up the only attempt of a message. */
    @Test
    void runsEachMessageOnceOnTwoMembersWhenMembersAreKilledAndTheMajorityIsLost() throws Exception {
        try (GaleraCluster cluster = TestServers.startGalera()) {
            TestServer first = cluster.member(0);
            first.execute("CREATE DATABASE galera CHARACTER SET utf8mb4");
            try (MemberClient here = new MemberClient(first);
                    MemberClient there = new MemberClient(cluster.member(1), first)) {
                prepare(here);
                List<Thread> producers = List.of(here, there).stream()
                        .flatMap(memberClient -> memberClient.start().stream())
                        .toList();
                bothMembersWork(first);
                theIdleMemberIsKilled(cluster, first);
                theMajorityIsLostAndRestored(cluster, first, here.engine);
                placing.set(false);
                for (Thread producer : producers) {
                    producer.join();
                }
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> count(
                                        first,
                                        "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM"
                                                + " acidq_scheduled)")
                                == 0);
            }
            everythingWasDoneOnce(first);
        }
    }

    private static void bothMembersWork(TestServer first) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> count(first, EFFECTS) >= EACH_PHASE
                        && count(first, "SELECT COUNT(DISTINCT node) FROM effect") == 2);
    }

    private static void theIdleMemberIsKilled(GaleraCluster cluster, TestServer first) throws SQLException {
        cluster.kill(2);
        until(first, effects(first) + EACH_PHASE);
        assertThat(cluster.conflicts(0) + cluster.conflicts(1))
                .as("transactions of one member that lost against the other's")
                .isPositive();
    }

    /** Of two members one is killed, so the other has no majority until an operator declares it primary. */
    private static void theMajorityIsLostAndRestored(GaleraCluster cluster, TestServer first, Engine engine)
            throws SQLException {
        cluster.kill(1);
        await().atMost(Duration.ofSeconds(30)).until(() -> !cluster.isReady(0));
        await().atMost(Duration.ofSeconds(30)).until(() -> !engine.health().isWorking());
        cluster.makePrimary(0);
        until(first, effects(first) + EACH_PHASE);
    }

    private void everythingWasDoneOnce(TestServer server) throws SQLException {
        List<Long> effects = longs(server, "SELECT seq FROM effect");
        assertThat(effects).doesNotHaveDuplicates().containsAll(placed);
        assertThat(count(server, "SELECT COUNT(*) FROM acidq_dead")).isZero();
        assertThat(count(server, "SELECT SUM(n) FROM hot")).isEqualTo(effects.size());
    }

    private static void prepare(MemberClient memberClient) throws SQLException {
        Schema.create(memberClient.pool);
        try (Connection connection = memberClient.pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE effect (id BIGINT AUTO_INCREMENT PRIMARY KEY, seq BIGINT NOT NULL, node INT NOT"
                            + " NULL) ENGINE=InnoDB");
            statement.execute("CREATE TABLE hot (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
            statement.execute("INSERT INTO hot VALUES (0, 0), (1, 0), (2, 0)");
        }
    }

    private static void until(TestServer server, long effects) {
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> count(server, EFFECTS) >= effects);
    }

    /** A member that has just become the majority refuses queries for a moment. */
    private static long effects(TestServer server) {
        return await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> count(server, EFFECTS), n -> n >= 0);
    }

    private static long count(TestServer server, String query) throws SQLException {
        return longs(server, query).get(0);
    }

    private static List<Long> longs(TestServer server, String query) throws SQLException {
        try (Connection connection = server.connect("galera");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<Long> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getLong(1));
            }
            return all;
        }
    }

    /** An application on one member: producers and an engine. */
    private final class MemberClient implements AutoCloseable {

        final HikariDataSource pool;
        final JdbcTransactions transactions;
        final Engine engine;

        MemberClient(TestServer... members) {
            HikariConfig config = new HikariConfig();
            config.setDataSource(new MovingAddress(List.of(members)));
            config.setMaximumPoolSize(20);
            config.setMinimumIdle(0);
            config.setConnectionTimeout(2000);
            config.setInitializationFailTimeout(-1);
            pool = new HikariDataSource(config);
            transactions = new JdbcTransactions(pool);
            engine = Engine.builder(MyBatisStore.over(pool, transactions))
                    .config(EngineTests.QUICK)
                    .listen(Listener.on(Q, Step.class, this::run)
                            .withConcurrency(4)
                            .withRetry(RetryPolicy.defaults().withMaxAttempts(1)))
                    .build();
        }

        List<Thread> start() {
            // the other member applies the tables a moment after they were created on the first one
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> Schema.check(pool));
            engine.start();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                Thread thread = new Thread(this::place, "producer");
                threads.add(thread);
                thread.start();
            }
            return threads;
        }

        private Outcome run(Step step, Delivery delivery) throws SQLException {
            update("INSERT INTO effect (seq, node) VALUES (" + step.seq() + ", " + delivery.node() + ")");
            update("UPDATE hot SET n = n + 1 WHERE id = " + step.seq() % 3);
            ahead.release();
            return Outcome.done();
        }

        private void update(String sql) throws SQLException {
            try (Statement statement = transactions.connection().createStatement()) {
                statement.executeUpdate(sql);
            }
        }

        private void place() {
            while (placing.get()) {
                if (!mayPlace()) {
                    continue;
                }
                long number = seq.incrementAndGet();
                try {
                    transactions.call(() -> engine.queue()
                            .enqueue(Q, new Step("m", number), options().orderingKey("k" + number % 20)));
                    placed.add(number);
                } catch (
                        RuntimeException
                                e) { // a conflict, or an unknown outcome: the message may be there, but never twice
                    ahead.release(); // the handler may never run
                }
            }
        }

        private boolean mayPlace() {
            try {
                return ahead.tryAcquire(100, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            engine.close();
            pool.close();
        }
    }

    /** Leads to the first member that answers. The driver's own list of addresses would leave sessions of a member without a majority open. */
    private static final class MovingAddress extends MariaDbDataSource {

        private final List<TestServer> members;

        MovingAddress(List<TestServer> members) {
            this.members = members;
        }

        @Override
        public Connection getConnection() throws SQLException {
            SQLException last = new SQLNonTransientConnectionException("no member");
            for (TestServer member : members) {
                try {
                    return member.connect("galera");
                } catch (SQLException e) {
                    last = e;
                }
            }
            throw last;
        }
    }
}

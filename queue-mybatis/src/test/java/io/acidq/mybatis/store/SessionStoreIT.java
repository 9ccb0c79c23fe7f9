package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.session.CachedConnection;
import io.acidq.mybatis.session.ConnectionCache;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Lane;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The treatment of borrowed connections, with a pool of three. */
@EachServer
class SessionStoreIT extends StoreFixture {

    private static final String SETTINGS =
            "SELECT @@SESSION.transaction_isolation, @@SESSION.innodb_lock_wait_timeout, @@SESSION.lock_wait_timeout,"
                    + " @@SESSION.wait_timeout,"
                    + " @@SESSION.autocommit";

    private HikariDataSource pool;
    private long now = System.nanoTime();

    @BeforeEach
    void openPool() {
        openPool(3);
    }

    private void openPool(int size) {
        openPool(size, Duration.ofSeconds(30));
    }

    private void openPool(int size, Duration longestWait) {
        HikariConfig config = database().another(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(longestWait.toMillis());
        pool = new HikariDataSource(config);
        transactions = new JdbcTransactions(pool);
        MyBatisSessions sessions = StoreMappers.over(pool);
        StoreTransactions own = transactions(sessions);
        nodes = new MyBatisNodeStore(own);
        queues = new MyBatisQueueStore(own);
        claims = new MyBatisClaimStore(sessions, transactions, own);
        enqueue = new MyBatisEnqueueStore(sessions, transactions);
    }

    /** Store transactions whose kept connections are released by the clock of this test, on a call. */
    private StoreTransactions transactions(MyBatisSessions sessions) {
        return new StoreTransactions(sessions, new ConnectionCache(sessions, () -> now, false));
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void returnsEveryConnectionUnchanged() throws Exception {
        List<List<Object>> before = settingsOfAll();
        fixture.enqueueAll(0, null, "a", "b");

        nodes.livingNodes(); // enables the cache
        queues.openQueue(fixture.queue.name());
        Claimed claimed = claims.claimDue(fixture.request(0, 10));
        transactions.inNew(() -> claims.ackIfClaimed(claimed.messages().get(0).claim()));
        claims.retryIfClaimed(claimed.messages().get(1), QueueFixture.HOUR, List.of());
        queues.paused(List.of(fixture.queueId));
        nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(3);
        nodes.markStopped(fixture.node, QueueFixture.REGISTRATION); // returns the kept connections
        claims.claimDue(fixture.request(1, 10));
        queues.paused(List.of(fixture.queueId));

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        assertThat(settingsOfAll()).isEqualTo(before);
    }

    /** Left by a handler whose statements AcidQ does not see, as with JPA. Each later user of the connection would fail. */
    @Test
    void closesAConnectionWhoseSessionMayOnlyRead() throws Exception {
        closePool();
        openPool(1);
        leaveReadOnly();
        assertThatThrownBy(() -> queues.openQueue("another")).isInstanceOf(QueueMisuseException.class);
        assertThat(queues.openQueue("another").name()).isEqualTo("another");

        leaveReadOnly();
        assertThatThrownBy(this::writeInATransaction).hasStackTraceContaining("READ ONLY");
        writeInATransaction();
    }

    private void leaveReadOnly() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            QueueFixture.execute(connection, "SET SESSION TRANSACTION READ ONLY");
        }
    }

    private void writeInATransaction() throws Exception {
        transactions.run(() -> QueueFixture.execute(transactions.connection(), "DELETE FROM acidq_inbox"));
    }

    @Test
    void runsItsOwnTransactionsWithShortWaits() {
        StatementHook trap = new StatementHook(pool, "nothing", () -> {});
        List<Object> inside = transactions(StoreMappers.over(trap.dataSource())).runAndRelease("test", t -> {
            t.mapper(ClaimMapper.class).lockLane(fixture.request(0, 1));
            return trap.rowOfLastConnection(SETTINGS);
        });

        assertThat(inside).hasToString("[READ-COMMITTED, 1, 10, 10, 0]");
    }

    @Test
    void readsWithoutATransaction() {
        StatementHook trap = new StatementHook(pool, "nothing", () -> {});
        List<Object> inside = transactions(StoreMappers.over(trap.dataSource())).read("test", t -> {
            t.mapper(ClaimMapper.class).lanesWithWork(List.of(fixture.queueId));
            return trap.rowOfLastConnection(SETTINGS);
        });

        assertThat(inside).hasToString("[READ-COMMITTED, 1, 10, 30, 1]");
    }

    @Test
    void insertsEveryByteInEveryModeAndCharacterSetOfASession() throws SQLException {
        byte[] all = new byte[256];
        IntStream.range(0, all.length).forEach(i -> all[i] = (byte) i);
        List<byte[]> payloads = List.of(
                all,
                Arrays.copyOfRange(all, ' ', '~' + 1),
                "{\"plain\": \"a%_?{fn x}--/*#;:=@@~\"}".getBytes(StandardCharsets.US_ASCII),
                "{\"quoted\": \"it's \\\"\"}".getBytes(StandardCharsets.US_ASCII));
        boolean keepsUtf8 = database().dataSource().getJdbcUrl().startsWith("jdbc:mariadb:"); // the driver requires it
        for (String setting : List.of(
                "SET SESSION sql_mode = ''",
                "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'",
                keepsUtf8 ? "SET NAMES utf8mb3" : "SET NAMES gbk")) {
            transactions.run(() -> {
                QueueFixture.execute(transactions.connection(), setting);
                enqueue.insert(payloads.stream().map(fixture::message).toList());
            });

            assertThat(fixture.claim(0, 10).messages())
                    .as(setting)
                    .extracting(ClaimedMessage::payload)
                    .usingElementComparator(Arrays::compare)
                    .containsExactlyElementsOf(payloads);
        }
    }

    @Test
    void keepsTheClaimConnectionForTheNextClaim() {
        nodes.livingNodes();
        claims.claimDue(fixture.request(0, 10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);

        claims.claimDue(fixture.request(0, 10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
    }

    @Test
    void keepsNoConnectionBeforeTheFirstHeartbeat() {
        claims.claimDue(fixture.request(0, 10));
        queues.paused(List.of(fixture.queueId));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void returnsTheKeptConnectionsAfterTheyWereIdle() {
        nodes.livingNodes();
        claims.claimDue(fixture.request(0, 10));
        queues.paused(List.of(fixture.queueId));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(3);

        now += Duration.ofSeconds(13).toNanos();
        nodes.livingNodes(); // as an engine does with each heartbeat
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
    }

    /** A bug: workers and callers waited for the connection until the next heartbeat. */
    @Test
    void returnsTheKeptConnectionsWithoutACall() {
        Store small = MyBatisStore.over(pool, transactions);
        small.nodes().livingNodes();
        small.claims().claimDue(fixture.request(0, 10));

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 1);
    }

    @Test
    void keepsTheConnectionWithWhichAnIdleNodePolls() {
        nodes.livingNodes();
        queues.paused(List.of(fixture.queueId));

        for (int second = 0; second < 11; second++) {
            now += Duration.ofSeconds(1).toNanos();
            nodes.livingNodes();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
        }
    }

    @Test
    void sendsHeartbeatsWhileThePoolIsExhausted() throws Exception {
        closePool();
        openPool(3, Duration.ofSeconds(2));
        Awaitility.await() // so that no call waits for a connection that is being opened
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.getHikariPoolMXBean().getIdleConnections() == 3);
        nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION);
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(one).isNotSameAs(two);
            assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                    .isTrue();
            assertThat(nodes.livingNodes()).isNotEmpty();

            assertThatThrownBy(() -> claims.claimDue(fixture.request(0, 10)))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageContaining("claimDue");
        }
    }

    @Test
    void sendsHeartbeatsOnANewConnectionWhenTheServerHasClosedTheOldOne() throws SQLException {
        shrinkTo(1);
        Object id = QueueFixture.connectionId(pool);
        nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION);
        fixture.execute("KILL CONNECTION " + id);

        assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isTrue();
    }

    @Test
    void claimsOnAnotherConnectionWhenTheServerHasClosedTheKeptOne() throws SQLException {
        fixture.enqueue(0, null, "a");
        keepAndKillOne();

        assertThat(QueueFixture.texts(claims.claimDue(fixture.request(0, 10)))).containsExactly("a");
    }

    /** A bug: the first enqueue to a queue failed half a second after the engine had lost its connections. */
    @Test
    void opensAQueueOnAnotherConnectionWhenTheServerHasClosedTheKeptOne() throws SQLException {
        keepAndKillOne();

        assertThat(queues.openQueue(fixture.queue.name())).isEqualTo(fixture.queue);
    }

    private void keepAndKillOne() throws SQLException {
        shrinkTo(2);
        nodes.livingNodes();
        Object id = QueueFixture.connectionId(pool);
        claims.claimDue(fixture.request(1, 10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
        fixture.execute("KILL CONNECTION " + id);
    }

    /** After a failed COMMIT the outcome is unknown, so that the work must not run again. */
    @Test
    void repeatsNothingThatMayHaveBeenCommitted() throws SQLException {
        shrinkTo(1);
        Object id = QueueFixture.connectionId(pool);
        StoreTransactions own = transactions(StoreMappers.over(pool));
        own.releaseIdle(); // enables the cache
        AtomicInteger runs = new AtomicInteger();
        Function<StoreTransaction, List<Lane>> look = t -> {
            runs.incrementAndGet();
            return t.mapper(ClaimMapper.class).lanesWithWork(List.of(fixture.queueId));
        };
        own.runAndKeep("test", look);

        assertThatThrownBy(() -> own.runAndKeep("test", t -> {
                    List<Lane> found = look.apply(t);
                    fixture.execute("KILL CONNECTION " + id);
                    return found;
                }))
                .isInstanceOf(TransientQueueException.class);
        assertThat(runs).hasValue(2);
    }

    @Test
    void readsOnAnotherConnectionWhenTheServerHasClosedTheKeptOne() throws SQLException {
        shrinkTo(2);
        nodes.livingNodes();
        Object id = QueueFixture.connectionId(pool);
        queues.paused(List.of(fixture.queueId));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
        fixture.execute("KILL CONNECTION " + id);

        assertThat(queues.paused(List.of(fixture.queueId))).isEmpty();
    }

    @Test
    void failsToAwaitOnAnotherConnectionThanTheLostOne() throws SQLException {
        shrinkTo(1);
        Object id = QueueFixture.connectionId(pool);
        StoreTransactions own = transactions(StoreMappers.over(pool));
        own.releaseIdle(); // enables the cache
        Function<StoreTransaction, List<Lane>> look =
                t -> t.mapper(ClaimMapper.class).lanesWithWork(List.of(fixture.queueId));
        assertThat(own.await("test", look)).isEmpty();
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
        fixture.execute("KILL CONNECTION " + id);

        assertThatThrownBy(() -> own.await("test", look)).isInstanceOf(TransientQueueException.class);
        assertThat(own.await("test", look)).isEmpty();
    }

    /** A bug: the driver of MariaDB reconnected an aborted connection, and tried for half a minute. */
    @Test
    void evictsForGoodWithSeveralAddressesInTheUrl() throws SQLException {
        HikariConfig config = database().another(1);
        config.setJdbcUrl(config.getJdbcUrl()
                .replaceFirst("//([^/]+)/", "//$1,$1/")
                .replace("jdbc:mariadb:", "jdbc:mariadb:sequential:"));
        closePool();
        pool = new HikariDataSource(config);
        Object id = QueueFixture.connectionId(pool);
        Connection evicted = pool.getConnection();
        Connection inside = evicted.unwrap(Connection.class);

        CachedConnection.evict(evicted);

        assertThat(inside.isClosed()).isTrue();
        assertThat(QueueFixture.connectionId(pool)).isNotEqualTo(id);
    }

    @Test
    void evictsThroughAProxyThatCannotBeUnwrapped() throws SQLException {
        shrinkTo(1);
        Object id = QueueFixture.connectionId(pool);

        CachedConnection.evict(opaque(pool.getConnection()));

        assertThat(QueueFixture.connectionId(pool)).isNotEqualTo(id);
    }

    private static Connection opaque(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("unwrap")) {
                        throw new SQLException("not shown");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void shrinkTo(int size) {
        closePool();
        openPool(size);
    }

    private List<List<Object>> settingsOfAll() throws SQLException {
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection();
                Connection three = pool.getConnection()) {
            return List.of(
                    QueueFixture.rows(one, SETTINGS).get(0),
                    QueueFixture.rows(two, SETTINGS).get(0),
                    QueueFixture.rows(three, SETTINGS).get(0));
        }
    }
}

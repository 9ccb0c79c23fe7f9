package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.session.CachedConnection;
import io.acidq.mybatis.session.ConnectionCache;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.EnqueueStore;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore;
import io.acidq.store.QueueStore;
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

/** What the store does to the connections that it borrows, seen in a pool of three. */
@EachServer
class SessionStoreIT extends StoreFixture {

    private static final String SETTINGS =
            "SELECT @@SESSION.transaction_isolation, @@SESSION.innodb_lock_wait_timeout, @@SESSION.lock_wait_timeout,"
                    + " @@SESSION.wait_timeout,"
                    + " @@SESSION.autocommit";

    private HikariDataSource pool;
    private long now = System.nanoTime();
    private NodeStore nodes;
    private QueueStore queues;
    private ClaimStore claims;
    private EnqueueStore enqueue;
    private JdbcTransactions transactions;

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

    /** Their kept connections are released when this test's clock says so, and a call comes. */
    private StoreTransactions transactions(MyBatisSessions sessions) {
        return new StoreTransactions(sessions, new ConnectionCache(sessions, () -> now, false));
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void givesEveryConnectionBackAsItWas() throws Exception {
        List<List<Object>> before = settingsOfAll();
        queueFixture.enqueue(queueFixture.message(0, null, "a"), queueFixture.message(0, null, "b"));

        nodes.livingNodes(); // so that some are kept
        queues.openQueue(queueFixture.queue.name());
        Claimed claimed = claims.claimDue(queueFixture.request(0, 10));
        transactions.inNew(() -> claims.ackIfClaimed(claimed.messages().get(0).claim()));
        claims.retryIfClaimed(claimed.messages().get(1), QueueFixture.HOUR, List.of());
        queues.paused(List.of(queueFixture.queue.id()));
        nodes.heartbeatIfAlive(queueFixture.node);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(3);
        nodes.retire(queueFixture.node); // gives back what is kept
        claims.claimDue(queueFixture.request(1, 10));
        queues.paused(List.of(queueFixture.queue.id()));

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        assertThat(settingsOfAll()).isEqualTo(before);
    }

    @Test
    void runsItsOwnTransactionsWithShortWaits() {
        StatementHook trap = new StatementHook(pool, "nothing", () -> {});
        List<Object> inside = transactions(StoreMappers.over(trap.dataSource())).runAndRelease("test", t -> {
            t.mapper(ClaimMapper.class).lockLane(queueFixture.request(0, 1));
            return trap.rowOfLastConnection(SETTINGS);
        });

        assertThat(inside).hasToString("[READ-COMMITTED, 1, 10, 10, 0]");
    }

    @Test
    void readsWithoutATransaction() {
        StatementHook trap = new StatementHook(pool, "nothing", () -> {});
        List<Object> inside = transactions(StoreMappers.over(trap.dataSource())).read("test", t -> {
            t.mapper(ClaimMapper.class).lanesWithWork(List.of(queueFixture.queue.id()));
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
        boolean keepsUtf8 = database().dataSource().getJdbcUrl().startsWith("jdbc:mariadb:"); // its driver insists
        for (String setting : List.of(
                "SET SESSION sql_mode = ''",
                "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'",
                keepsUtf8 ? "SET NAMES utf8mb3" : "SET NAMES gbk")) {
            transactions.run(() -> {
                QueueFixture.execute(transactions.connection(), setting);
                enqueue.insert(payloads.stream().map(queueFixture::message).toList());
            });

            assertThat(queueFixture.claim(0, 10).messages())
                    .as(setting)
                    .extracting(ClaimedMessage::payload)
                    .usingElementComparator(Arrays::compare)
                    .containsExactlyElementsOf(payloads);
        }
    }

    @Test
    void keepsTheClaimConnectionForTheNextClaim() {
        nodes.livingNodes();
        claims.claimDue(queueFixture.request(0, 10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);

        claims.claimDue(queueFixture.request(0, 10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
    }

    @Test
    void keepsNoConnectionWhereNobodyGivesItBack() {
        claims.claimDue(queueFixture.request(0, 10));
        queues.paused(List.of(queueFixture.queue.id()));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void givesTheKeptConnectionsBackWhenTheyAreNotUsedAnyMore() {
        nodes.livingNodes();
        claims.claimDue(queueFixture.request(0, 10));
        queues.paused(List.of(queueFixture.queue.id()));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(3);

        now += Duration.ofSeconds(13).toNanos();
        nodes.livingNodes(); // as an engine does with each beat
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
    }

    /** Workers and callers waited for it until the next beat. */
    @Test
    void givesTheKeptConnectionsBackThoughNobodyCalls() {
        Store small = MyBatisStore.over(pool, transactions);
        small.nodes().livingNodes();
        small.claims().claimDue(queueFixture.request(0, 10));

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 1);
    }

    @Test
    void keepsTheConnectionThatAnIdleNodeLooksBy() {
        nodes.livingNodes();
        queues.paused(List.of(queueFixture.queue.id()));

        for (int second = 0; second < 11; second++) {
            now += Duration.ofSeconds(1).toNanos();
            nodes.livingNodes();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
        }
    }

    @Test
    void beatsWhileThePoolIsExhausted() throws Exception {
        closePool();
        openPool(3, Duration.ofSeconds(2));
        Awaitility.await() // so that nobody waits for a connection that is being opened
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.getHikariPoolMXBean().getIdleConnections() == 3);
        nodes.heartbeatIfAlive(queueFixture.node);
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(one).isNotSameAs(two);
            assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isTrue();
            assertThat(nodes.livingNodes()).isNotEmpty();

            assertThatThrownBy(() -> claims.claimDue(queueFixture.request(0, 10)))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageContaining("claimDue");
        }
    }

    @Test
    void beatsOnANewConnectionWhenTheServerHasClosedTheOldOne() throws SQLException {
        shrinkTo(1);
        Object id = idOfTheOne();
        nodes.heartbeatIfAlive(queueFixture.node);
        queueFixture.execute("KILL CONNECTION " + id);

        assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isTrue();
    }

    @Test
    void claimsOnAnotherConnectionWhenTheServerHasClosedTheKeptOne() throws SQLException {
        queueFixture.enqueue(0, null, "a");
        keepAndKillOne();

        assertThat(QueueFixture.texts(claims.claimDue(queueFixture.request(0, 10))))
                .containsExactly("a");
    }

    /** An application's first enqueue to a queue failed so, half a second after the engine had lost its connections. */
    @Test
    void opensAQueueOnAnotherConnectionWhenTheServerHasClosedTheKeptOne() throws SQLException {
        keepAndKillOne();

        assertThat(queues.openQueue(queueFixture.queue.name())).isEqualTo(queueFixture.queue);
    }

    private void keepAndKillOne() throws SQLException {
        shrinkTo(2);
        nodes.livingNodes();
        Object id = idOfTheOne();
        claims.claimDue(queueFixture.request(1, 10));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
        queueFixture.execute("KILL CONNECTION " + id);
    }

    /** Somebody else may have done it by then, or it is done: nobody knows. */
    @Test
    void runsNothingAgainOfWhichItMayBeThatItWasCommitted() throws SQLException {
        shrinkTo(1);
        Object id = idOfTheOne();
        StoreTransactions own = transactions(StoreMappers.over(pool));
        own.releaseIdle(); // so that one is kept
        AtomicInteger runs = new AtomicInteger();
        Function<StoreTransaction, List<Lane>> look = t -> {
            runs.incrementAndGet();
            return t.mapper(ClaimMapper.class).lanesWithWork(List.of(queueFixture.queue.id()));
        };
        own.runAndKeep("test", look);

        assertThatThrownBy(() -> own.runAndKeep("test", t -> {
                    List<Lane> found = look.apply(t);
                    queueFixture.execute("KILL CONNECTION " + id);
                    return found;
                }))
                .isInstanceOf(TransientQueueException.class);
        assertThat(runs).hasValue(2);
    }

    @Test
    void readsOnAnotherConnectionWhenTheServerHasClosedTheKeptOne() throws SQLException {
        shrinkTo(2);
        nodes.livingNodes();
        Object id = idOfTheOne();
        queues.paused(List.of(queueFixture.queue.id()));
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
        queueFixture.execute("KILL CONNECTION " + id);

        assertThat(queues.paused(List.of(queueFixture.queue.id()))).isEmpty();
    }

    @Test
    void awaitsNothingOnAnotherConnectionThanTheLostOne() throws SQLException {
        shrinkTo(1);
        Object id = idOfTheOne();
        StoreTransactions own = transactions(StoreMappers.over(pool));
        own.releaseIdle(); // so that one is kept
        Function<StoreTransaction, List<Lane>> look =
                t -> t.mapper(ClaimMapper.class).lanesWithWork(List.of(queueFixture.queue.id()));
        assertThat(own.await("test", look)).isEmpty();
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
        queueFixture.execute("KILL CONNECTION " + id);

        assertThatThrownBy(() -> own.await("test", look)).isInstanceOf(TransientQueueException.class);
        assertThat(own.await("test", look)).isEmpty();
    }

    /** MariaDB's driver connected anew where it was used after its end, and tried to for half a minute. */
    @Test
    void evictsForGoodAlsoWhereTheUrlHasSeveralAddresses() throws SQLException {
        HikariConfig config = database().another(1);
        config.setJdbcUrl(config.getJdbcUrl()
                .replaceFirst("//([^/]+)/", "//$1,$1/")
                .replace("jdbc:mariadb:", "jdbc:mariadb:sequential:"));
        closePool();
        pool = new HikariDataSource(config);
        Object id = idOfTheOne();
        Connection evicted = pool.getConnection();
        Connection inside = evicted.unwrap(Connection.class);

        CachedConnection.evict(evicted);

        assertThat(inside.isClosed()).isTrue();
        assertThat(idOfTheOne()).isNotEqualTo(id);
    }

    @Test
    void evictsAlsoThroughAProxyThatShowsNothingOfItsInside() throws SQLException {
        shrinkTo(1);
        Object id = idOfTheOne();

        CachedConnection.evict(opaque(pool.getConnection()));

        assertThat(idOfTheOne()).isNotEqualTo(id);
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

    /** Of the only one that is free. */
    private Object idOfTheOne() throws SQLException {
        try (Connection one = pool.getConnection()) {
            return QueueFixture.rows(one, "SELECT CONNECTION_ID()").get(0).get(0);
        }
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

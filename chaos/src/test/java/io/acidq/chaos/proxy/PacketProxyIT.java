package io.acidq.chaos.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.TransientQueueException;
import io.acidq.chaos.proxy.ConnectionBreak.BreakMode;
import io.acidq.chaos.proxy.ConnectionBreak.BreakPoint;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Lane;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Effects of the proxy's breaks on a client and on the server, for each server with its own driver. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PacketProxyIT {

    private static final String Q = "struck";
    private static final int NODE = 7;
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);

    /** The timeout of a client that gives up before the black hole ends. */
    private static final Duration SHORT_TIMEOUT = Duration.ofMillis(500);

    private static final Duration SILENCE = Duration.ofSeconds(15);

    @Parameter
    private ServerKind kind;

    private TestDatabase database;
    private Connection behind;
    private ConnectionBreaks connectionBreaks;
    private PacketProxy proxy;
    private HikariDataSource pool;
    private JdbcTransactions transactions;
    private Store store;
    private Engine engine;

    @BeforeParameterizedClassInvocation
    void openServer() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        behind = database.connect();
        try (HikariDataSource direct =
                new DatabaseLogin(database.jdbcUrl(), database.username(), database.password()).pool(2)) {
            Schema.create(direct);
        }
    }

    @AfterParameterizedClassInvocation
    void closeServer() throws SQLException {
        behind.close();
        database.drop();
    }

    @BeforeEach
    void open() throws SQLException {
        execute("DELETE FROM acidq_message");
        connectionBreaks = new ConnectionBreaks();
        proxy = PacketProxy.before(database.server().address(), connectionBreaks, SILENCE);
        connect(SOCKET_TIMEOUT);
    }

    private void connect(Duration socketTimeout) {
        TestDatabase proxied = new TestDatabase(
                database.server().through(InetSocketAddress.createUnresolved("127.0.0.1", proxy.port())),
                database.name());
        pool = new DatabaseLogin(
                        proxied.jdbcUrl() + "&socketTimeout=" + socketTimeout.toMillis(),
                        proxied.username(),
                        proxied.password())
                .pool(5);
        transactions = new JdbcTransactions(pool);
        store = MyBatisStore.over(pool, transactions);
        engine = Engine.builder(store).build();
        store.queues().openQueue(Q);
    }

    private void reconnect(Duration socketTimeout) {
        disconnect();
        connect(socketTimeout);
    }

    private void disconnect() {
        engine.close();
        pool.close();
    }

    @AfterEach
    void close() {
        disconnect();
        proxy.close();
    }

    @Test
    void countsErrorsByConnection() throws SQLException {
        try (Connection one = pool.getConnection();
                Connection other = pool.getConnection();
                Statement statement = one.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELECT 1 FROM there_is_none"))
                    .isInstanceOf(SQLException.class);
            assertThat(proxy.errors(idOf(one), 1146)).isEqualTo(1);
            assertThat(proxy.errors(idOf(one), 1317)).isZero();
            assertThat(proxy.errors(idOf(other), 1146)).isZero();
        }
    }

    private static long idOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"IN_STATEMENT, 0", "BEFORE_COMMIT, 0", "AFTER_COMMIT, 1"})
    void breaksAnEnqueueAtTheOrderedPoint(BreakPoint breakPoint, int there) {
        order(TransactionKind.ENQUEUE, breakPoint, BreakMode.CUT);
        assertThatThrownBy(() -> enqueue("a")).isInstanceOf(TransientQueueException.class);
        assertThat(count("acidq_message")).isEqualTo(there);
        assertThat(connectionBreaks.happened()).containsValue(1).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"IN_STATEMENT, 0", "BEFORE_COMMIT, 0", "AFTER_COMMIT, 1"})
    void breaksAClaimAtTheOrderedPoint(BreakPoint breakPoint, int claimed) {
        enqueue("a");
        Lane lane = lane();
        order(TransactionKind.CLAIM, breakPoint, BreakMode.CUT);
        assertThatThrownBy(() -> claim(lane)).isInstanceOf(TransientQueueException.class);
        assertThat(count("acidq_message WHERE owner = " + NODE)).isEqualTo(claimed);
        assertThat(count("acidq_message WHERE attempts = 1")).isEqualTo(claimed);
    }

    @ParameterizedTest
    @CsvSource({"IN_STATEMENT, 1", "BEFORE_COMMIT, 1", "AFTER_COMMIT, 0"})
    void breaksAHandlersTransactionAtTheOrderedPoint(BreakPoint breakPoint, int left) {
        enqueue("a");
        Claim claim = claim(lane()).messages().get(0).claim();
        order(TransactionKind.HANDLER, breakPoint, BreakMode.CUT);
        assertThatThrownBy(() -> transactions.inNew(() -> store.claims().ackIfClaimed(claim)))
                .isInstanceOf(TransientQueueException.class);
        assertThat(count("acidq_message")).isEqualTo(left);
    }

    @Test
    void passesTransactionsOfOtherKinds() {
        enqueue("a");
        order(TransactionKind.ENQUEUE, BreakPoint.BEFORE_COMMIT, BreakMode.CUT);
        order(TransactionKind.HANDLER, BreakPoint.BEFORE_COMMIT, BreakMode.CUT);
        assertThat(claim(lane()).messages()).hasSize(1);
        assertThat(connectionBreaks.happened()).isEmpty();
    }

    @Test
    void breaksOnceForEachOrder() {
        order(TransactionKind.ENQUEUE, BreakPoint.BEFORE_COMMIT, BreakMode.CUT);
        order(TransactionKind.ENQUEUE, BreakPoint.AFTER_COMMIT, BreakMode.CUT);
        assertThatThrownBy(() -> enqueue("a")).isInstanceOf(TransientQueueException.class);
        assertThatThrownBy(() -> enqueue("b")).isInstanceOf(TransientQueueException.class);
        enqueue("c");
        assertThat(count("acidq_message")).isEqualTo(2);
        assertThat(connectionBreaks.happened()).hasSize(2);
    }

    /** No packet arrives in either direction: the client times out, and the server still waits. */
    @ParameterizedTest
    @EnumSource(
            value = BreakPoint.class,
            names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
    void leavesBothSidesWaitingInABlackHole(BreakPoint breakPoint) {
        reconnect(SHORT_TIMEOUT);
        order(TransactionKind.ENQUEUE, breakPoint, BreakMode.BLACK_HOLE);
        long began = System.nanoTime();
        assertThatThrownBy(() -> enqueue("a")).isInstanceOf(TransientQueueException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(SHORT_TIMEOUT);
        assertThat(others())
                .as("the server has not noticed that the client closed")
                .isGreaterThanOrEqualTo(2);
        await().until(() ->
                openTransactions() == (breakPoint == BreakPoint.BEFORE_COMMIT ? 1 : 0)); // its COMMIT may take long
        assertThat(count("acidq_message")).isEqualTo(breakPoint == BreakPoint.AFTER_COMMIT ? 1 : 0);
        proxy.cutAll();
        await().atMost(Duration.ofSeconds(30)).until(() -> others() == 0);
        assertThat(count("acidq_message")).isEqualTo(breakPoint == BreakPoint.AFTER_COMMIT ? 1 : 0);
    }

    /** The server notices at once that the connection is closed and rolls back. The client does not notice. */
    @Test
    void leavesTheClientOfAHalfOpenConnectionWaiting() {
        reconnect(SHORT_TIMEOUT);
        order(TransactionKind.ENQUEUE, BreakPoint.BEFORE_COMMIT, BreakMode.HALF_OPEN);
        long began = System.nanoTime();
        assertThatThrownBy(() -> enqueue("a")).isInstanceOf(TransientQueueException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(SHORT_TIMEOUT);
        assertThat(count("acidq_message")).isZero();
        await().atMost(Duration.ofSeconds(30)).until(() -> openTransactions() == 0);
    }

    @Test
    void delaysEachPacketOfAClient() throws SQLException {
        try (Connection slow = pool.getConnection();
                Statement statement = slow.createStatement()) {
            proxy.slowDown(Duration.ofMillis(120));
            long began = System.nanoTime();
            statement.execute("SELECT 1");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
            proxy.slowDown(Duration.ZERO);
        }
    }

    @Test
    void cutsAllOpenConnectionsAndAcceptsNewOnes() throws SQLException {
        try (Connection first = pool.getConnection();
                Statement statement = first.createStatement()) {
            statement.execute("SELECT 1");
            assertThat(proxy.cutAll()).isPositive();
            assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
        }
        enqueue("a");
        assertThat(count("acidq_message")).isEqualTo(1);
    }

    private void order(TransactionKind transactionKind, BreakPoint breakPoint, BreakMode breakMode) {
        connectionBreaks.order(new ConnectionBreak(transactionKind, breakPoint, breakMode));
    }

    private void enqueue(String payload) {
        transactions.run(() -> {
            engine.queue().enqueue(Q, payload);
        });
    }

    private Lane lane() {
        return store.claims()
                .lanesWithWork(List.of(store.queues().openQueue(Q).id()))
                .get(0);
    }

    private Claimed claim(Lane lane) {
        return store.claims()
                .claimDue(new ClaimRequest(
                        lane.queue(), lane.lane(), NODE, 1, new Budget(10, 10, true), ClaimStrategy.LANES));
    }

    /** The number of other connections to the database. */
    private long others() {
        return count("information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()");
    }

    private long openTransactions() {
        return count(
                "information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id"
                        + " WHERE p.db = DATABASE() AND p.id <> CONNECTION_ID()");
    }

    private long count(String from) {
        try (Statement statement = behind.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(from, e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = behind.createStatement()) {
            statement.execute(sql);
        }
    }
}

package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.Transactions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker with consecutive transactions, and a pool with autocommit at another isolation level than READ COMMITTED. */
@EachServer
class WorkerSessionStoreIT extends StoreFixture {

    private HikariDataSource pool;

    @BeforeEach
    void openPool() {
        HikariConfig config = database().another(2);
        config.setAutoCommit(true);
        config.setConnectionInitSql("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        pool = new HikariDataSource(config);
        transactions = new JdbcTransactions(pool);
        fixture.execute("CREATE TABLE IF NOT EXISTS stay (id INT PRIMARY KEY, v INT NOT NULL) ENGINE=InnoDB");
        fixture.execute("DELETE FROM stay");
        fixture.execute("INSERT INTO stay VALUES (1, 0)");
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void keepsItsConnectionFromOneTransactionToTheNextEachAtReadCommitted() throws Exception {
        Set<Object> connections = new HashSet<>();
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            for (int i = 0; i < 4; i++) {
                connections.add(transactions.inNew(this::seesWhatOthersCommitAndWhere));
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isOne();
            }
            workerSession.release();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            transactions.inNew(this::seesWhatOthersCommitAndWhere);
        }
        assertThat(connections).hasSizeLessThan(4); // one, unless the machine pauses longer than the connection is kept
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void returnsItsConnectionUnchanged() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            for (int i = 0; i < 3; i++) {
                transactions.inNew(this::seesWhatOthersCommitAndWhere);
            }
            workerSession.release();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(QueueFixture.rows(connection, "SELECT @@SESSION." + isolation()))
                        .containsExactly(List.of("SERIALIZABLE"));
            }
        }
    }

    @Test
    void keepsNothingAfterAFailure() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(this::seesWhatOthersCommitAndWhere);
            assertThatThrownBy(() -> transactions.inNew(() -> {
                        QueueFixture.execute(transactions.connection(), "UPDATE stay SET v = 1000");
                        throw new IllegalStateException("bad");
                    }))
                    .hasMessage("bad");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            workerSession.release();
        }
        assertThat(fixture.number("SELECT v FROM stay")).isEqualTo(1);
    }

    /** The next transaction committed each statement, also if it failed. */
    @Test
    void switchesAutocommitOffWhenThePoolHasSwitchedItOnAfterACommit() throws Exception {
        transactions = new JdbcTransactions(switchingAutocommitOn());
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(this::seesWhatOthersCommitAndWhere);
            assertThatThrownBy(() -> transactions.inNew(() -> {
                        QueueFixture.execute(transactions.connection(), "UPDATE stay SET v = 1000");
                        throw new IllegalStateException("bad");
                    }))
                    .hasMessage("bad");
            workerSession.release();
        }
        assertThat(fixture.number("SELECT v FROM stay")).isEqualTo(1);
    }

    private DataSource switchingAutocommitOn() {
        return proxy(
                DataSource.class,
                (proxy, method, args) -> method.invoke(pool, args) instanceof Connection connection
                        ? proxy(Connection.class, (of, called, with) -> {
                            Object result = called.invoke(connection, with);
                            if (called.getName().equals("commit")) {
                                connection.setAutoCommit(true);
                            }
                            return result;
                        })
                        : null);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(WorkerSessionStoreIT.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void dropsAConnectionWhoseSessionTheWorkHasChanged() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            Object changed = transactions.inNew(() -> {
                QueueFixture.execute(transactions.connection(), "SET SESSION sort_buffer_size = 65536");
                return id(transactions.connection());
            });
            assertThat(transactions.inNew(this::seesWhatOthersCommitAndWhere)).isNotEqualTo(changed);
            workerSession.release();
        }
    }

    @Test
    void takesAnotherConnectionForATransactionInsideOfOne() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(this::seesWhatOthersCommitAndWhere);
            transactions.inNew(() -> {
                Object outer = id(transactions.connection());
                assertThat((Object) transactions.inNew(() -> id(transactions.connection())))
                        .isNotEqualTo(outer);
                return outer;
            });
            workerSession.release();
        }
    }

    @Test
    void leavesConnectionsToOthersThoughItIsNeverIdle() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Object> first = worker(enough);
        CompletableFuture<Object> second = worker(enough);
        for (int i = 0; i < 3; i++) {
            try (Connection others = pool.getConnection()) { // throws after half a minute
                assertThat(others.isValid(5)).isTrue();
            }
        }
        enough.set(true);
        QueueFixture.join(first);
        QueueFixture.join(second);
    }

    private CompletableFuture<Object> worker(AtomicBoolean enough) {
        return QueueFixture.runAsync(() -> {
            try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
                while (!enough.get()) {
                    transactions.inNew(() -> id(transactions.connection()));
                }
                workerSession.release();
            }
            return true;
        });
    }

    private Object seesWhatOthersCommitAndWhere() throws SQLException {
        Connection connection = transactions.connection();
        long before = value(connection);
        fixture.execute("UPDATE stay SET v = v + 1");
        assertThat(value(connection)).isEqualTo(before + 1);
        return id(connection);
    }

    private static long value(Connection connection) throws SQLException {
        return ((Number) QueueFixture.rows(connection, "SELECT v FROM stay")
                        .get(0)
                        .get(0))
                .longValue();
    }

    private static Object id(Connection connection) throws SQLException {
        return QueueFixture.connectionId(connection);
    }

    private String isolation() {
        return database().isMariaDb() ? "tx_isolation" : "transaction_isolation";
    }
}

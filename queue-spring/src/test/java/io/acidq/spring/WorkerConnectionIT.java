package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Transactions;
import io.acidq.testservers.ServerKind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A worker that runs several of Spring's transactions in sequence. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class WorkerConnectionIT {

    private final TestPool pool;
    private final JdbcTemplate jdbc;
    private final JdbcTransactionManager manager;
    private final SpringTransactions transactions;

    WorkerConnectionIT(ServerKind kind) {
        this.pool = TestPool.on(kind, 3);
        this.jdbc = new JdbcTemplate(pool);
        this.manager = new JdbcTransactionManager(pool);
        this.transactions = new SpringTransactions(manager, pool);
    }

    @BeforeEach
    void createTable() {
        jdbc.execute("CREATE TABLE effect (id INT NOT NULL)");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void keepsItsConnectionFromOneTransactionToTheNext() throws Exception {
        Set<Long> connections = new HashSet<>();
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            for (int i = 0; i < 4; i++) {
                connections.add(transactions.inNew(this::insertAndReturnConnectionId));
                assertThat(active()).isOne();
            }
            workerSession.release();
            assertThat(active()).isZero();
        }
        assertThat(connections)
                .hasSizeLessThan(4); // one, unless the machine stalls for longer than the connection may be kept
        assertThat(effects()).isEqualTo(4);
    }

    /** The savepoint, its release, COMMIT and the statement of the work. The minimum of several runs, because the connection can change between two. */
    @Test
    void costsThreeStatementsInAdditionToTheWork() throws Exception {
        assertThat(fewestStatements(() -> {}))
                .as("MariaDB does not count the work's")
                .isBetween(3L, 4L);
    }

    /** A second savepoint and its release. */
    @Test
    void costsTwoStatementsMoreIfTheWorkRegistersACallback() throws Exception {
        assertThat(fewestStatements(() ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {})))
                .isBetween(5L, 6L);
    }

    private long fewestStatements(Runnable work) throws Exception {
        long fewest = Long.MAX_VALUE;
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            long before = transactions.inNew(() -> {
                work.run();
                return questions();
            });
            for (int i = 0; i < 10; i++) {
                long now = transactions.inNew(() -> {
                    work.run();
                    return questions();
                });
                fewest = Math.min(fewest, now > before ? now - before : Long.MAX_VALUE);
                before = now;
            }
            workerSession.release();
        }
        return fewest;
    }

    /** In a stack trace between the engine and the handler; CallDepthTest of queue-core counts the frames of the engine. */
    @Test
    void addsSixFramesToTheStackOfAHandler() throws Exception {
        List<String> frames;
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            frames = transactions.inNew(() -> transactions.callHandler("handler", () -> framesOfTransactions()));
        }
        assertThat(frames)
                .containsExactly(
                        "TransactionLeakDetector.call",
                        "SpringTransactions.callHandler",
                        "SpringTransactions.inTransaction",
                        "SpringTransactions.lambda",
                        "WorkerConnection.around",
                        "SpringTransactions.inNew");
    }

    private static List<String> framesOfTransactions() {
        String own = SpringTransactions.class.getPackageName() + ".";
        return Arrays.stream(new Throwable().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(own))
                .map(frame -> frame.getClassName().substring(own.length()) + "."
                        + frame.getMethodName().replaceAll("lambda.*", "lambda"))
                .toList();
    }

    @Test
    void runsAtReadCommittedAndResetsItsConnection() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            for (int i = 0; i < 3; i++) {
                int seen = transactions.inNew(() -> {
                    int before = effects();
                    TransactionTemplate other = new TransactionTemplate(manager);
                    other.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                    other.executeWithoutResult(status -> jdbc.update("INSERT INTO effect VALUES (1)"));
                    return effects() - before;
                });
                assertThat(seen).as("what another has committed meanwhile").isOne();
            }
            workerSession.release();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(jdbc.queryForObject("SELECT @@autocommit", Integer.class))
                    .isOne();
            assertThat(isolation()).containsOnly("REPEATABLE-READ");
        }
    }

    @Test
    void keepsNoConnectionAfterAFailure() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(this::insertAndReturnConnectionId);
            assertThatThrownBy(() -> transactions.inNew(() -> {
                        insertAndReturnConnectionId();
                        throw new IllegalStateException("bad");
                    }))
                    .hasMessage("bad");
            assertThat(active()).isZero();
            workerSession.release();
        }
        assertThat(effects()).isOne();
    }

    /** It joined the next transaction of the worker: it committed or was lost with another message. */
    @ParameterizedTest
    @ValueSource(strings = {"afterCommit", "afterCompletion"})
    void rollsBackWhatACallbackAfterTheCommitWritesWithoutATransaction(String callback) throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(() -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        insertIf("afterCommit");
                    }

                    @Override
                    public void afterCompletion(int status) {
                        insertIf("afterCompletion");
                    }

                    private void insertIf(String current) {
                        if (callback.equals(current)) {
                            jdbc.update("INSERT INTO effect VALUES (2)");
                        }
                    }
                });
                return insertAndReturnConnectionId();
            });
            transactions.inNew(this::insertAndReturnConnectionId);
            workerSession.release();
        }

        assertThat(count("SELECT COUNT(*) FROM effect WHERE id = 2")).isZero();
        assertThat(effects()).isEqualTo(2);
    }

    /** What work opens, and a callback after the commit executes. */
    enum Opened {
        PREPARED {
            @Override
            Write open(Connection connection) throws SQLException {
                PreparedStatement statement = connection.prepareStatement("INSERT INTO effect VALUES (2)");
                return statement::executeUpdate;
            }
        },
        BATCH {
            @Override
            Write open(Connection connection) throws SQLException {
                Statement statement = connection.createStatement();
                statement.addBatch("INSERT INTO effect VALUES (2)");
                return statement::executeBatch;
            }
        },
        CONNECTION_OF_STATEMENT {
            @Override
            Write open(Connection connection) throws SQLException {
                Statement statement = connection.createStatement();
                return () -> statement.getConnection().createStatement().execute("INSERT INTO effect VALUES (2)");
            }
        },
        RESULT_SET {
            @Override
            Write open(Connection connection) throws SQLException {
                connection.createStatement().execute("INSERT INTO stock VALUES (1, 0)");
                ResultSet rows = connection
                        .createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE)
                        .executeQuery("SELECT id, amount FROM stock");
                rows.next();
                return () -> {
                    rows.updateInt(2, 2);
                    rows.updateRow();
                };
            }
        };

        abstract Write open(Connection connection) throws SQLException;

        interface Write {
            void run() throws SQLException;
        }
    }

    /** It joined the next transaction of the worker, because only the text of a statement was observed. */
    @ParameterizedTest
    @EnumSource(Opened.class)
    void rollsBackWhatACallbackAfterTheCommitWritesByWhatTheWorkHasOpened(Opened opened) throws Exception {
        jdbc.execute("CREATE TABLE stock (id INT PRIMARY KEY, amount INT NOT NULL)");
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(() -> {
                Opened.Write write = opened.open(DataSourceUtils.getConnection(pool));
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        assertThatCode(write::run).doesNotThrowAnyException();
                    }
                });
                return insertAndReturnConnectionId();
            });
            transactions.inNew(this::insertAndReturnConnectionId);
            workerSession.release();
        }

        assertThat(count("SELECT COUNT(*) FROM effect WHERE id = 2")).isZero();
        assertThat(count("SELECT COUNT(*) FROM stock WHERE amount = 2")).isZero();
        assertThat(effects()).isEqualTo(2);
    }

    /** What the work had written before its failure was committed, and nothing told it. */
    @Test
    void refusesToSetAutocommitBySql() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            assertThatThrownBy(() -> transactions.inNew(() -> {
                        insertAndReturnConnectionId();
                        jdbc.execute("/* of a script */ SET SESSION autocommit = ON");
                        return insertAndReturnConnectionId();
                    }))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("SET SESSION autocommit = ON was called in AcidQ's transaction");
            workerSession.release();
        }
        assertThat(effects()).isZero();
    }

    /** AcidQ closed its own connection after each transaction, because a proxy that passes equals on does not equal itself. */
    @Test
    void keepsItsConnectionOfADataSourceThatDoesNotEqualItself() throws Exception {
        DataSource naive = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> method.invoke(pool, args));
        SpringTransactions others = new SpringTransactions(new JdbcTransactionManager(naive), naive);
        JdbcTemplate naively = new JdbcTemplate(naive);
        try (Transactions.WorkerSession workerSession = others.workerSession()) {
            others.inNew(() -> naively.update("INSERT INTO effect VALUES (1)"));
            others.inNew(() -> others.callHandler(
                    "handler",
                    () -> others.inNew(() -> naively.update("INSERT INTO effect VALUES (2)"))
                            + naively.update("INSERT INTO effect VALUES (3)")));
            assertThat(active()).isOne();
            workerSession.release();
        }
        assertThat(effects()).isEqualTo(3);
    }

    @Test
    void noticesACommitInTheWork() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(this::insertAndReturnConnectionId);
            assertThatThrownBy(() -> transactions.inNew(() -> {
                        jdbc.execute("COMMIT");
                        return insertAndReturnConnectionId();
                    }))
                    .isInstanceOf(TransientQueueException.class);
            transactions.inNew(this::insertAndReturnConnectionId);
            workerSession.release();
        }
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void usesAnotherConnectionForAnInnerTransaction() throws Exception {
        try (Transactions.WorkerSession workerSession = transactions.workerSession()) {
            transactions.inNew(this::insertAndReturnConnectionId);
            transactions.inNew(() -> {
                long outer = insertAndReturnConnectionId();
                assertThat((long) transactions.inNew(this::insertAndReturnConnectionId))
                        .isNotEqualTo(outer);
                assertThat(insertAndReturnConnectionId()).isEqualTo(outer);
                return outer;
            });
            workerSession.release();
        }
        assertThat(effects()).isEqualTo(4);
    }

    /** A JPA manager binds its own connection. */
    @Test
    void keepsNoConnectionForAnotherTypeOfManager() throws Exception {
        SpringTransactions others = new SpringTransactions(new Foreign(manager), pool);
        try (Transactions.WorkerSession workerSession = others.workerSession()) {
            others.inNew(this::insertAndReturnConnectionId);
            assertThat(active()).isZero();
            workerSession.release();
        }
        assertThat(effects()).isOne();
    }

    private int active() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    private long insertAndReturnConnectionId() {
        jdbc.update("INSERT INTO effect VALUES (1)");
        return count("SELECT CONNECTION_ID()");
    }

    private long questions() {
        return jdbc.queryForObject("SHOW SESSION STATUS LIKE 'Questions'", (row, number) -> row.getLong(2));
    }

    private int effects() {
        return (int) count("SELECT COUNT(*) FROM effect");
    }

    private long count(String query) {
        Long count = jdbc.queryForObject(query, Long.class);
        return count == null ? 0 : count;
    }

    /** Returns the variable by its old and its new name; the server has one of them or both. */
    private List<String> isolation() {
        return jdbc.query(
                "SHOW VARIABLES WHERE variable_name IN ('transaction_isolation', 'tx_isolation')",
                (row, number) -> row.getString(2));
    }

    /** Delegates to another manager, but is of another type. */
    private static final class Foreign extends AbstractPlatformTransactionManager {

        private final transient JdbcTransactionManager inner;

        Foreign(JdbcTransactionManager inner) {
            this.inner = inner;
            setTransactionSynchronization(SYNCHRONIZATION_NEVER);
        }

        @Override
        protected Object doGetTransaction() {
            return new Object[1];
        }

        @Override
        protected void doBegin(Object begun, TransactionDefinition definition) {
            ((Object[]) begun)[0] = inner.getTransaction(definition);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            inner.commit(inner(status));
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            inner.rollback(inner(status));
        }

        private static TransactionStatus inner(DefaultTransactionStatus status) {
            return (TransactionStatus) ((Object[]) status.getTransaction())[0];
        }
    }
}

package io.acidq.spring.transaction;

import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A connection that a worker keeps between its transactions. It is bound to the thread before a transaction begins, so that the transaction
 * manager of its {@code DataSource} uses it and does not return it to the pool. It is kept only for a short time, because other threads need
 * the pool too. Confined to the worker's thread.
 */
final class WorkerConnection implements Transactions.WorkerSession {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);
    private static final Duration MAX_KEEP_TIME = Duration.ofMillis(100);
    private static final int MAX_STATEMENT_LENGTH = 200;

    private final DataSource dataSource;
    private final Runnable onClose;
    private @Nullable Connection kept;
    private final SessionChangeDetector.Session session = new SessionChangeDetector.Session();
    private String user = "AcidQ's transaction";
    private long borrowedAt;
    private boolean wasAutoCommit;
    private int isolation;

    /**
     * Creates a session without a connection.
     *
     * @param onClose called at the end of the session
     */
    WorkerConnection(DataSource dataSource, Runnable onClose) {
        this.dataSource = dataSource;
        this.onClose = onClose;
    }

    /** Runs work that begins and ends a transaction, at READ COMMITTED, on the kept connection, or on a new one, which is kept then. */
    <T> T around(Callable<T> transaction) throws Exception {
        ConnectionHolder holder = new ConnectionHolder(SessionChangeDetector.over(take(), session));
        TransactionSynchronizationManager.bindResource(dataSource, holder);
        boolean isCompleted = false;
        session.beginTransaction();
        try {
            T result = transaction.call();
            isCompleted = true;
            return result;
        } finally {
            TransactionSynchronizationManager.unbindResource(dataSource);
            String statement = session.statementAfterEnd();
            if (!isCompleted || session.mayBeWrittenAfterEnd()) {
                rollBackOpenTransaction();
            }
            if (statement != null && !SessionChangeDetector.Session.isQuery(statement)) {
                log.warn(
                        "a callback at the end of the transaction of {} (TransactionSynchronization.afterCommit or afterCompletion,"
                                + " @TransactionalEventListener) has written without a transaction of its own, and this is rolled back: {}."
                                + " Let the callback begin a transaction (@Transactional(propagation = REQUIRES_NEW))",
                        user,
                        statement.substring(0, Math.min(statement.length(), MAX_STATEMENT_LENGTH)));
            }
            if (!isCompleted || session.isChanged()) {
                release();
            }
        }
    }

    /** Names the handler of the transaction that has ended, for the log. */
    void usedBy(String handler) {
        user = handler;
    }

    /** Rolls back in case the rollback of the manager failed, or a callback has begun another transaction. The return to autocommit would commit an open transaction. */
    private void rollBackOpenTransaction() {
        Connection connection = kept;
        if (connection == null) {
            return;
        }
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            log.debug("a worker's connection is lost, and is aborted", e);
            kept = null;
            session.reset();
            SpringTransactions.abort(connection);
        }
    }

    private Connection take() throws SQLException {
        if (System.nanoTime() - borrowedAt > MAX_KEEP_TIME.toNanos()) {
            release();
        }
        Connection connection = kept;
        return connection == null ? borrow() : connection;
    }

    private Connection borrow() throws SQLException {
        Connection connection = DataSourceUtils.doGetConnection(dataSource);
        borrowedAt = System.nanoTime();
        kept = connection;
        try {
            wasAutoCommit = connection.getAutoCommit();
            isolation = connection.getTransactionIsolation();
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (wasAutoCommit) {
                connection.setAutoCommit(false);
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            release();
            throw e;
        }
    }

    @Override
    public void release() {
        Connection connection = kept;
        kept = null;
        if (connection == null) {
            return;
        }
        if (session.isChanged()) {
            session.reset();
            log.debug("a handler has changed the session of its connection, which is closed");
            SpringTransactions.abort(connection);
            return;
        }
        try {
            if (wasAutoCommit) {
                connection.setAutoCommit(true);
            }
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
        } catch (SQLException | RuntimeException e) {
            log.debug("a worker's connection could not be reset, and is aborted", e);
            SpringTransactions.abort(connection);
        }
        DataSourceUtils.releaseConnection(connection, dataSource);
    }

    @Override
    public void close() {
        release();
        onClose.run();
    }
}

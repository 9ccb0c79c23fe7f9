package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.CachedConnection;
import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.transaction.GuardedConnection;
import io.acidq.mybatis.transaction.TransactionState;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-bound transactions for plain Java. The application begins them with {@link #run} and {@link #call}, the engine begins those of handlers
 * with {@link #inNew}. {@link #connection()} returns the connection of the current transaction. That connection refuses commit, rollback and close,
 * except through {@code unwrap} or the statement of a result set. A transaction in which the database reported a deadlock or a lost connection is
 * never committed, even if the application swallowed the error. The same holds for a transaction that ended inside a stored procedure, or inside another
 * statement that runs others. Thread-safe; each transaction belongs to its thread.
 *
 * <p>A pool whose connections have autocommit off saves two round trips per transaction.
 */
public final class JdbcTransactions implements Transactions {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransactions.class);

    private final MyBatisSessions sessions;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the transaction ends
    private final ThreadLocal<@Nullable JdbcTransaction> open = new ThreadLocal<>();

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the worker ends
    private final ThreadLocal<@Nullable JdbcWorkerSession> workerConnections = new ThreadLocal<>();

    public JdbcTransactions(DataSource dataSource) {
        this.sessions = new MyBatisSessions(dataSource, List.of("Fragments.xml", "Session.xml"));
    }

    /**
     * Runs the work in a transaction at the isolation level of the DataSource's connections. If a transaction is open on this thread, the work joins
     * it. Commits when the work returns. Rolls back when the work throws, and rethrows the same exception. Work that has joined neither commits nor rolls back:
     * if the outer work catches the exception, what the inner work has written commits with it.
     *
     * @throws TransientQueueException if the database ended the transaction or the connection was lost; a repeated call may succeed
     */
    public <X extends Exception> void run(TransactionWork<X> work) throws X {
        call(() -> {
            work.run();
            return Boolean.TRUE;
        });
    }

    /** Like {@link #run}, for work with a result. */
    public <T extends @Nullable Object, X extends Exception> T call(TransactionWorkWithResult<T, X> work) throws X {
        return open.get() != null ? work.call() : inTransaction(work, false);
    }

    /**
     * Returns the connection of the transaction that is open on this thread. It is for this transaction and this thread: do not keep it. After the end of
     * the transaction {@code isClosed()} is true, and other calls throw {@link QueueMisuseException}. A call on another thread throws it too, and the
     * transaction is rolled back.
     */
    public Connection connection() {
        return requireOpen("JdbcTransactions.connection").guarded;
    }

    @Override
    public @Nullable Connection current() {
        JdbcTransaction current = open.get();
        return current == null ? null : current.guarded;
    }

    /** Always false: asking the connection costs a round trip per message, and the server refuses the INSERT anyway. */
    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void afterCommit(Runnable hook) {
        requireOpen("afterCommit").committedHooks.add(hook);
    }

    @Override
    public void afterEnd(Runnable committed, Runnable otherwise) {
        JdbcTransaction current = requireOpen("afterEnd");
        current.committedHooks.add(committed);
        current.otherHooks.add(otherwise);
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        return inTransaction(work::call, true);
    }

    /** Closes the statements that the handler leaves open. A transaction always ends with its block. */
    @Override
    public <T> T callHandler(String handler, Callable<T> call) throws Exception {
        JdbcTransaction current = open.get();
        T result;
        try {
            result = call.call();
        } finally {
            if (current != null) {
                current.state.closeStatements();
            }
        }
        if (current != null) {
            current.checkStillOpen();
        }
        return result;
    }

    /** As the default. A rollback also removes the hooks that were registered after the savepoint, because what they are for is undone. */
    @Override
    public TransactionSavepoint savepoint(String name) {
        JdbcTransaction current = requireOpen("savepoint");
        TransactionSavepoint savepoint = Transactions.super.savepoint(name);
        int committedBefore = current.committedHooks.size();
        int othersBefore = current.otherHooks.size();
        return () -> {
            savepoint.rollback();
            current.removeHooks(committedBefore, othersBefore);
        };
    }

    @Override
    public Runnable connectionAborter() {
        Connection raw = requireOpen("connectionAborter").raw;
        return () -> CachedConnection.evict(raw);
    }

    private JdbcTransaction requireOpen(String what) {
        JdbcTransaction current = open.get();
        if (current == null) {
            throw new QueueMisuseException(
                    what
                            + " needs a transaction on this thread, and none is open: wrap the code in JdbcTransactions.run or call, of the same JdbcTransactions");
        }
        return current;
    }

    @Override
    public WorkerSession workerSession() {
        JdbcWorkerSession worker = new JdbcWorkerSession();
        workerConnections.set(worker);
        return worker;
    }

    private <T extends @Nullable Object, X extends Exception> T inTransaction(
            TransactionWorkWithResult<T, X> work, boolean ofWorker) throws X {
        JdbcTransaction outer = open.get();
        JdbcTransaction own = begin(ofWorker);
        T result;
        open.set(own);
        try {
            result = work.call();
            own.commit();
        } catch (Throwable e) {
            own.rollBack();
            throw e;
        } finally {
            resume(outer);
            own.close();
            own.runHooks();
        }
        return result;
    }

    private void resume(@Nullable JdbcTransaction outer) {
        if (outer == null) {
            open.remove();
        } else {
            open.set(outer);
        }
    }

    private JdbcTransaction begin(boolean ofWorker) {
        JdbcWorkerSession worker = ofWorker && open.get() == null ? workerConnections.get() : null;
        CachedConnection connection = null;
        try {
            connection = worker == null ? borrow() : worker.take();
            connection.keepAutoCommitOff();
            if (ofWorker) {
                connection.useReadCommitted();
            }
            return new JdbcTransaction(connection, worker);
        } catch (SQLException | RuntimeException e) {
            if (connection != null) {
                connection.evict();
            }
            throw ExceptionTranslator.translate("begin", e);
        }
    }

    private CachedConnection borrow() throws SQLException {
        return CachedConnection.forApplication(sessions.dataSource().getConnection(), sessions, "begin");
    }

    private static void returnToPool(CachedConnection connection) {
        try {
            connection.returnToPool();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection is closed, because its settings could not be restored for the next user", e);
        }
    }

    /** Work that runs in a transaction. */
    @FunctionalInterface
    public interface TransactionWork<X extends Exception> {
        void run() throws X;
    }

    /** Work that runs in a transaction and has a result. */
    @FunctionalInterface
    public interface TransactionWorkWithResult<T extends @Nullable Object, X extends Exception> {
        T call() throws X;
    }

    /** The connection that a worker keeps between two transactions, for a short time because other threads need the pool. Confined to the worker's thread. */
    private final class JdbcWorkerSession implements WorkerSession {

        private static final Duration MAX_KEEP_TIME = Duration.ofMillis(100);

        private @Nullable CachedConnection kept;

        /** Returns the kept connection, or another one of the pool. */
        CachedConnection take() throws SQLException {
            if (kept != null && kept.isOlderThan(MAX_KEEP_TIME, System.nanoTime())) {
                release();
            }
            CachedConnection next = kept == null ? borrow() : kept;
            kept = null;
            return next;
        }

        void keep(CachedConnection done) {
            release();
            kept = done;
        }

        @Override
        public void release() {
            CachedConnection idle = kept;
            kept = null;
            if (idle != null) {
                returnToPool(idle);
            }
        }

        @Override
        public void close() {
            release();
            workerConnections.remove();
        }
    }

    /** One transaction on a prepared connection, from begin to end. */
    private static final class JdbcTransaction {

        private final CachedConnection connection;
        private final @Nullable JdbcWorkerSession worker;
        private final Connection raw;
        private final TransactionState state;
        private final Connection guarded;
        private final List<Runnable> committedHooks = new ArrayList<>();
        private final List<Runnable> otherHooks = new ArrayList<>();
        private boolean committed;
        private boolean broken;

        /**
         * Begins a transaction.
         *
         * @param worker keeps the connection after a commit; null if the connection always returns to the pool
         */
        JdbcTransaction(CachedConnection connection, @Nullable JdbcWorkerSession worker) {
            this.connection = connection;
            this.worker = worker;
            this.raw = connection.connection();
            this.state = new TransactionState(
                    connection::setSavepoint, connection::releaseSavepoint, connection::setAutoCommitOff);
            this.guarded = GuardedConnection.over(raw, state);
        }

        void checkStillOpen() {
            try {
                state.checkStillOpen();
            } catch (SQLException e) {
                throw ExceptionTranslator.translate("savepoint", e);
            }
        }

        /** Commits unless the state of the transaction forbids it. */
        void commit() {
            if (state.misuse() == null) {
                checkStillOpen();
            }
            if (state.misuse() != null) {
                throw state.misuse();
            }
            SQLException fatal = state.fatalError();
            if (fatal != null) {
                throw new TransientQueueException(
                        "not committed: the database had already ended this transaction (code " + fatal.getErrorCode()
                                + "), and the work caught that error. Do not catch it, and run the work again: "
                                + fatal.getMessage(),
                        fatal);
            }
            try {
                raw.commit();
                committed = true;
            } catch (SQLException e) {
                if (DatabaseError.of(e) == DatabaseError.CONNECTION) {
                    throw new TransientQueueException(
                            "the connection was lost during COMMIT: whether it committed is unknown. Check your data, or run it again"
                                    + " with the same message key, which refuses a second message: " + e.getMessage(),
                            e);
                }
                throw ExceptionTranslator.translate("commit", e);
            }
        }

        void rollBack() {
            try {
                raw.rollback();
            } catch (SQLException e) {
                broken = true; // the server itself rolls back the transaction of a lost connection
                LOG.debug("A rollback failed. The connection is closed, and the server rolls its transaction back", e);
            }
        }

        void close() {
            state.recordEnd();
            String change = state.sessionChange();
            if (change != null) {
                LOG.debug(
                        "A connection is closed, because {} changed its session, and the next user must not see the change",
                        change);
            }
            if (broken || change != null) {
                connection.evict();
            } else if (committed && worker != null) {
                worker.keep(connection);
            } else {
                returnToPool(connection);
            }
        }

        /** Removes the hooks behind the first ones, because what they are for is rolled back. Their hooks for a rollback run in any case. */
        void removeHooks(int committedBefore, int othersBefore) {
            committedHooks.subList(committedBefore, committedHooks.size()).clear();
            committedHooks.addAll(otherHooks.subList(othersBefore, otherHooks.size()));
        }

        /** Runs the hooks for this outcome. The caller has closed the transaction before. */
        void runHooks() {
            for (Runnable hook : committed ? committedHooks : otherHooks) {
                try {
                    hook.run();
                } catch (Throwable e) {
                    // also an Error: the work is committed, and the caller must not see a failure
                    LOG.warn(
                            "A callback after the {} of a transaction failed, which does not change that end of the transaction",
                            committed ? "commit" : "rollback",
                            e);
                }
            }
        }
    }
}

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
 * Transactions of plain Java, bound to the thread: of the application by {@link #run} and {@link #call}, of handlers by {@link #inNew}.
 * The connection inside is {@link #connection()}; it refuses commit, rollback and close by application code, except through {@code unwrap} or a result
 * set's statement. A transaction in which the
 * database reported a deadlock or a lost connection is never committed, even when that error was swallowed. Thread-safe; a transaction
 * belongs to its thread.
 *
 * <p>With a pool that hands out connections with autocommit off, each transaction saves two round trips.
 */
public final class JdbcTransactions implements Transactions {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransactions.class);

    private final MyBatisSessions sessions;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the transaction ends
    private final ThreadLocal<@Nullable OpenTransaction> open = new ThreadLocal<>();

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the worker ends
    private final ThreadLocal<@Nullable WorkerConnection> workerConnections = new ThreadLocal<>();

    public JdbcTransactions(DataSource dataSource) {
        this.sessions = new MyBatisSessions(dataSource, List.of("Fragments.xml", "Session.xml"));
    }

    /**
     * Runs the work in a transaction, at the isolation level of the DataSource's connections; joins the one that is open on this
     * thread. Commits when the work returns; rolls back when it throws, and passes what it threw on unchanged.
     *
     * @throws TransientQueueException when the database ended the transaction or was lost: running all of it again may succeed
     */
    public <X extends Exception> void run(Work<X> work) throws X {
        call(() -> {
            work.run();
            return Boolean.TRUE;
        });
    }

    /** Like {@link #run}, for work that has a result. */
    public <T extends @Nullable Object, X extends Exception> T call(Task<T, X> task) throws X {
        return open.get() != null ? task.call() : inTransaction(task, false);
    }

    /** The connection of the transaction open on this thread. */
    public Connection connection() {
        Connection current = current();
        if (current == null) {
            throw new QueueMisuseException(
                    "no transaction is open on this thread: wrap the code in JdbcTransactions.run or call");
        }
        return current;
    }

    @Override
    public @Nullable Connection current() {
        OpenTransaction current = open.get();
        return current == null ? null : current.guarded;
    }

    /** False without asking: to ask the connection costs a round trip per message, and the server refuses the INSERT by itself. */
    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void afterCommit(Runnable hint) {
        requireOpen("whose commit could be waited for").committedHooks.add(hint);
    }

    @Override
    public void afterEnd(Runnable committed, Runnable otherwise) {
        OpenTransaction current = requireOpen("whose end could be waited for");
        current.committedHooks.add(committed);
        current.otherHooks.add(otherwise);
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        return inTransaction(work::call, true);
    }

    @Override
    public Runnable connectionAborter() {
        Connection raw = requireOpen("that could be broken").raw;
        return () -> CachedConnection.evict(raw);
    }

    private OpenTransaction requireOpen(String purpose) {
        OpenTransaction current = open.get();
        if (current == null) {
            throw new QueueMisuseException("no transaction is open on this thread " + purpose);
        }
        return current;
    }

    @Override
    public WorkerSession workerSession() {
        WorkerConnection worker = new WorkerConnection();
        workerConnections.set(worker);
        return worker;
    }

    private <T extends @Nullable Object, X extends Exception> T inTransaction(Task<T, X> task, boolean ofWorker)
            throws X {
        OpenTransaction outer = open.get();
        OpenTransaction own = begin(ofWorker);
        T result;
        open.set(own);
        try {
            result = task.call();
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

    private void resume(@Nullable OpenTransaction outer) {
        if (outer == null) {
            open.remove();
        } else {
            open.set(outer);
        }
    }

    private OpenTransaction begin(boolean ofWorker) {
        WorkerConnection worker = ofWorker && open.get() == null ? workerConnections.get() : null;
        CachedConnection connection = null;
        try {
            connection = worker == null ? borrow() : worker.take();
            if (ofWorker) {
                connection.useReadCommitted();
            }
            return new OpenTransaction(connection, worker);
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
            LOG.debug("the connection could not be set back, and is dropped", e);
        }
    }

    /** What runs in a transaction. */
    @FunctionalInterface
    public interface Work<X extends Exception> {
        void run() throws X;
    }

    /** What runs in a transaction and has a result. */
    @FunctionalInterface
    public interface Task<T extends @Nullable Object, X extends Exception> {
        T call() throws X;
    }

    /** The connection that a worker keeps between its transactions: not for long, since others wait for the pool too. Confined to the worker's thread. */
    private final class WorkerConnection implements WorkerSession {

        private static final Duration MAX_KEEP_TIME = Duration.ofMillis(100);

        private @Nullable CachedConnection kept;

        /** The one that is kept, or another. */
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

    /** A transaction from its begin to its end, on a connection that is prepared for it. */
    private static final class OpenTransaction {

        private final CachedConnection connection;
        private final @Nullable WorkerConnection worker;
        private final Connection raw;
        private final TransactionState state = new TransactionState();
        private final Connection guarded;
        private final List<Runnable> committedHooks = new ArrayList<>();
        private final List<Runnable> otherHooks = new ArrayList<>();
        private boolean committed;
        private boolean broken;

        /**
         * Just begun.
         *
         * @param worker keeps the connection after a commit; null when it returns to the pool in any case
         */
        OpenTransaction(CachedConnection connection, @Nullable WorkerConnection worker) {
            this.connection = connection;
            this.worker = worker;
            this.raw = connection.connection();
            this.guarded = GuardedConnection.over(raw, state);
        }

        /** Commits, unless the state of the transaction forbids it. */
        void commit() {
            if (state.misuse() != null) {
                throw state.misuse();
            }
            SQLException fatal = state.fatalError();
            if (fatal != null) {
                throw new TransientQueueException(
                        "not committed: the database had already ended this transaction (code " + fatal.getErrorCode()
                                + "), and the work swallowed that error. Let it through: " + fatal.getMessage(),
                        fatal);
            }
            try {
                raw.commit();
                committed = true;
            } catch (SQLException e) {
                if (DatabaseError.of(e) == DatabaseError.CONNECTION) {
                    throw new TransientQueueException(
                            "the connection was lost during COMMIT: whether it committed is unknown. Look for your data, or run it again"
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
                broken = true; // the server rolls a lost connection back itself
                LOG.debug("rollback failed, the connection is dropped", e);
            }
        }

        void close() {
            String change = state.sessionChange();
            if (change != null) {
                LOG.debug(
                        "{} changed the session of its connection, which is dropped: the next user must not meet it",
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

        /** Runs the hooks of this end. The transaction is closed by then. */
        void runHooks() {
            for (Runnable hook : committed ? committedHooks : otherHooks) {
                try {
                    hook.run();
                } catch (Throwable e) {
                    // an Error too: the caller's work is committed, and must not look as if it had failed
                    LOG.warn("a hint after the end of a transaction failed; the end stands", e);
                }
            }
        }
    }
}

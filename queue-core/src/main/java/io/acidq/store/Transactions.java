package io.acidq.store;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives the engine access to the transactions of the application. An enqueue joins the transaction on the calling thread; each handler runs in a new
 * transaction. Implementations exist for JDBC ({@code JdbcTransactions}) and Spring ({@code SpringTransactions}). Thread-safe; a transaction belongs to
 * the thread that began it.
 */
public interface Transactions {

    /** The connection of the open transaction on this thread, or null when there is none. The engine never ends or changes that transaction. */
    @Nullable
    Connection current();

    /**
     * Returns the connection of the open transaction, for work that needs one: see {@link #current}.
     *
     * @param what the work, which begins the message of the exception
     * @throws QueueMisuseException when no transaction is open on this thread
     */
    default Connection requireCurrent(String what) {
        Connection current = current();
        if (current == null) {
            throw new QueueMisuseException(
                    what + " needs a transaction on this thread, and none is open: begin one with"
                            + " @Transactional, a TransactionTemplate or JdbcTransactions.run, and do this inside it");
        }
        return current;
    }

    /**
     * Checks that a transaction is open on this thread that may write.
     *
     * @param what    the work that needs it, which begins the message of the exception
     * @param purpose what the transaction is needed for
     * @throws QueueMisuseException when none is open, or a read-only one
     */
    default void requireTransaction(String what, String purpose) {
        if (current() == null) {
            throw new QueueMisuseException(what + " needs a transaction on this thread, so that " + purpose
                    + ": annotate the method with @Transactional (and call it through its bean), or wrap the"
                    + " call in a TransactionTemplate or JdbcTransactions.run");
        }
        if (isReadOnly()) {
            throw new QueueMisuseException(what
                    + " is not possible in a read-only transaction: remove readOnly = true from its @Transactional");
        }
    }

    /** Whether the open transaction on this thread is read-only. */
    boolean isReadOnly();

    /**
     * Returns whether a part of the work has marked the open transaction on this thread as one that can only be rolled back. For example, a method with a
     * transaction annotation has joined it and thrown. A rollback to a savepoint does not remove such a mark. The default is for transactions without marks.
     */
    default boolean isRollbackOnly() {
        return false;
    }

    /**
     * Returns the {@code DataSource} from which a store takes connections of its own, also on threads with an open transaction. Their work is not part
     * of that transaction and may write, so a routing {@code DataSource} must not send it to a replica because that transaction is read-only. The
     * default returns the same {@code DataSource}.
     */
    default DataSource ownConnections(DataSource dataSource) {
        return dataSource;
    }

    /**
     * Calls the hint after the transaction on this thread has committed; never after a rollback. An exception of the hint is logged and does not affect
     * the commit.
     */
    void afterCommit(Runnable hint);

    /**
     * Calls one of two hints after the end of the transaction on this thread: the first as {@link #afterCommit} does, the other after a rollback or when
     * the result is unknown. An implementation that is not notified of rollbacks never calls the other one.
     */
    default void afterEnd(Runnable committed, Runnable otherwise) {
        afterCommit(committed);
    }

    /**
     * Runs the work in a new transaction at READ COMMITTED and commits it. When the work throws, the transaction is rolled back and the exception is passed
     * on unchanged. A transaction that the database has already rolled back, for example after a deadlock, is never committed: if the work caught the
     * error, this method throws.
     */
    <T> T inNew(Callable<T> work) throws Exception;

    /**
     * Calls a handler and restores the transaction of this thread after it. Transactions that the handler began or suspended and did not end are rolled
     * back, and the thread is in the same transaction as before, or in none. The default does nothing more than the call, for transactions that always end
     * with their block.
     *
     * @param handler the name of the handler, for the exception
     * @throws QueueMisuseException when the handler returned and left a transaction open or suspended. An exception of the handler is passed on
     *     unchanged, with this exception as a suppressed one
     */
    default <T> T callHandler(String handler, Callable<T> call) throws Exception {
        return call.call();
    }

    /**
     * Returns a task that aborts the connection of the transaction on this thread; another thread runs it. A statement that waits on the connection fails,
     * the transaction is rolled back, and the connection leaves the pool. The task does not throw.
     */
    Runnable connectionAborter();

    /**
     * Opens a session in which successive transactions of {@link #inNew} on this thread may reuse one connection, which saves the cost of borrowing and
     * preparing it. Close the session on the same thread.
     */
    default WorkerSession workerSession() {
        return WorkerSession.NONE;
    }

    /**
     * Sets a savepoint in the transaction on this thread.
     *
     * @param name an SQL identifier; a savepoint replaces an earlier one of the same name in the same transaction
     */
    default TransactionSavepoint savepoint(String name) {
        Connection connection = requireCurrent("a savepoint");
        try {
            execute(connection, "SAVEPOINT " + name);
        } catch (SQLException e) {
            throw new TransientQueueException("a savepoint could not be set: run the whole transaction again", e);
        }
        return () -> {
            Connection current = current();
            try {
                execute(current == null ? connection : current, "ROLLBACK TO SAVEPOINT " + name);
            } catch (SQLException e) {
                throw new TransientQueueException(
                        "the transaction of a savepoint no longer exists: run the whole transaction again", e);
            }
        };
    }

    /** By SQL, because Connector/J refuses {@link Connection#setSavepoint} in a transaction of JTA. The server does not. */
    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Records which callbacks are registered in the transaction on this thread. For work that rolls back to a savepoint of its own; {@link #savepoint} does
     * both. The default is for transactions whose callbacks need no removal.
     */
    default RegisteredCallbacks registeredCallbacks() {
        return Runnable::run;
    }

    /** The callbacks that were registered in a transaction at a savepoint. */
    @FunctionalInterface
    interface RegisteredCallbacks {

        /**
         * Rolls back to the savepoint, and removes the callbacks that were registered after it. They are told of a rollback.
         *
         * @param toSavepoint rolls back the changes in the database
         */
        void rollback(Runnable toSavepoint);
    }

    /** A session in which a thread may keep a connection between its transactions. Confined to that thread. */
    @FunctionalInterface
    interface WorkerSession extends AutoCloseable {

        /** A session that keeps no connection. */
        WorkerSession NONE = () -> {};

        /** Returns the connection to the pool, because the thread has no work at present. Does not throw. */
        void release();

        @Override
        default void close() {
            release();
        }
    }

    /** A savepoint in a transaction. */
    @FunctionalInterface
    interface TransactionSavepoint {

        /**
         * Undoes the changes that the transaction made after the savepoint.
         *
         * @throws TransientQueueException when the transaction no longer exists
         */
        void rollback();
    }
}

package io.acidq.store;

import io.acidq.TransientQueueException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The application's transactions, as far as the queue takes part in them: it joins the one on the calling thread to
 * enqueue, and begins one around each handler. Thread-safe; a transaction belongs to the thread that began it.
 */
public interface Transactions {

    /** The connection of the transaction open on this thread, or null. The queue never ends or changes it. */
    @Nullable
    Connection current();

    /** Whether the transaction open on this thread was declared read-only. */
    boolean isReadOnly();

    /**
     * Calls the hint after the transaction on this thread has committed, never when it rolls back. What the hint throws
     * is logged and lost: the commit stands.
     */
    void afterCommit(Runnable hint);

    /**
     * Calls one of two hints when the transaction on this thread is over: the first as {@link #afterCommit}, the other when it has rolled back or
     * its end is unknown. Where transactions do not tell their end, the other one is never called.
     */
    default void afterEnd(Runnable committed, Runnable otherwise) {
        afterCommit(committed);
    }

    /**
     * Runs the work in a new transaction at READ COMMITTED and commits it; rolls back when the work throws, and passes
     * what it threw on unchanged. A transaction that the database has already rolled back (after a deadlock, say) is
     * never committed, even if the work swallowed the error: then this throws.
     */
    <T> T inNew(Callable<T> work) throws Exception;

    /**
     * Calls a handler, and makes sure that this thread has the same transaction after it as before, or none as before. What the handler has begun or
     * suspended and not ended is rolled back, and the thread is put back into the transaction that it had. Where transactions end with the block that
     * begins them there is nothing to do.
     *
     * @param handler the name of the handler, for the exception
     * @throws io.acidq.QueueMisuseException when the handler returned and had left a transaction open or suspended; what the handler itself threw is
     *     passed on unchanged, with that exception as a suppressed one
     */
    default <T> T guard(String handler, Callable<T> call) throws Exception {
        return call.call();
    }

    /**
     * A way to break the connection of the transaction on this thread from another thread: what waits on it fails, the transaction is rolled
     * back, and the pool gets its place back. Running it does not throw.
     */
    Runnable connectionAborter();

    /**
     * Begins a time in which the transactions of {@link #inNew} that this thread begins one after the other may share a connection, which saves
     * what it costs to borrow and to prepare it. Ends, on the same thread, when it is closed.
     */
    default WorkerSession workerSession() {
        return WorkerSession.NONE;
    }

    /**
     * Marks this moment of the transaction on this thread by a savepoint.
     *
     * @param name an identifier; an earlier mark of the same name in the same transaction is gone
     */
    default TransactionSavepoint savepoint(String name) {
        Connection connection = Objects.requireNonNull(current(), "no transaction is open on this thread");
        try {
            Savepoint savepoint = connection.setSavepoint(name);
            return () -> {
                try {
                    connection.rollback(savepoint);
                } catch (SQLException e) {
                    throw new TransientQueueException("the transaction that a savepoint belonged to is gone", e);
                }
            };
        } catch (SQLException e) {
            throw new TransientQueueException("a savepoint could not be set", e);
        }
    }

    /** A time in which a thread may keep a connection between its transactions; confined to that thread. */
    @FunctionalInterface
    interface WorkerSession extends AutoCloseable {

        /** Nothing is kept. */
        WorkerSession NONE = () -> {};

        /** Gives back what is kept: the thread has no work at present. Does not throw. */
        void release();

        @Override
        default void close() {
            release();
        }
    }

    /** A moment in a transaction. */
    @FunctionalInterface
    interface TransactionSavepoint {

        /**
         * Takes back what was done in the transaction since then.
         *
         * @throws TransientQueueException when the transaction is not the same any more
         */
        void rollback();
    }
}

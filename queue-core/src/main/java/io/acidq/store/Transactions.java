package io.acidq.store;

import java.sql.Connection;
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
     * Runs the work in a new transaction at READ COMMITTED and commits it; rolls back when the work throws, and passes
     * what it threw on unchanged. A transaction that the database has already rolled back (after a deadlock, say) is
     * never committed, even if the work swallowed the error: then this throws.
     */
    <T> T inNew(Callable<T> work) throws Exception;
}

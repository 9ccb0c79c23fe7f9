package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.Failures;
import io.acidq.mybatis.session.Sessions;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of plain Java, bound to the thread: of the application by {@link #run} and {@link #call}, of handlers by {@link #inNew}.
 * The connection inside is {@link #connection()}; it refuses to be committed, rolled back or closed by hand (not behind its back, by {@code unwrap} or a result set's statement). A transaction in which the
 * database reported a deadlock or a lost connection is never committed, even when that error was swallowed. Thread-safe; a transaction
 * belongs to its thread.
 *
 * <p>With a pool that hands out connections with autocommit off, each transaction saves two round trips.
 */
public final class JdbcTransactions implements Transactions {

    private final Loans loans;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the transaction ends
    private final ThreadLocal<@Nullable OpenTransaction> open = new ThreadLocal<>();

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the worker ends
    private final ThreadLocal<@Nullable Kept> staying = new ThreadLocal<>();

    public JdbcTransactions(DataSource dataSource) {
        this.loans = new Loans(new Sessions(dataSource, List.of("Fragments.xml", "Session.xml")));
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
        return current == null ? null : current.guarded();
    }

    /** False without a look: to ask the connection costs a round trip per message, and the server refuses the INSERT by itself. */
    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void afterCommit(Runnable hint) {
        OpenTransaction current = open.get();
        if (current == null) {
            throw new QueueMisuseException("no transaction is open on this thread whose commit could be waited for");
        }
        current.afterCommit(hint);
    }

    @Override
    public void afterEnd(Runnable committed, Runnable otherwise) {
        OpenTransaction current = open.get();
        if (current == null) {
            throw new QueueMisuseException("no transaction is open on this thread whose end could be waited for");
        }
        current.afterEnd(committed, otherwise);
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        return inTransaction(work::call, true);
    }

    @Override
    public Runnable breaker() {
        OpenTransaction current = open.get();
        if (current == null) {
            throw new QueueMisuseException("no transaction is open on this thread that could be broken");
        }
        Connection raw = current.raw();
        return () -> Sessions.evict(raw);
    }

    @Override
    public Stay stay() {
        Kept kept = new Kept(loans, staying::remove);
        staying.set(kept);
        return kept;
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
        Kept kept = ofWorker && open.get() == null ? staying.get() : null;
        Loan loan = null;
        try {
            loan = kept == null ? loans.take() : kept.take();
            if (ofWorker) {
                loan.readCommitted();
            }
            return new OpenTransaction(loan, kept);
        } catch (SQLException | RuntimeException e) {
            if (loan != null) {
                loan.drop();
            }
            throw Failures.of("begin", e);
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
}

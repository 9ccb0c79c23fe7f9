package io.acidq.mybatis.session;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.ConnectionCache.Use;
import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * Short transactions of the store's own at READ COMMITTED, apart from any of the application's, and the statements of the heartbeat. Busy connections are
 * kept prepared, so that a claim costs its statements and a COMMIT; the others return to the pool. None is kept before {@link #releaseIdle} is called, and
 * the last one for reads until then. On a kept connection that turns out to be lost, the work is run once more on one from the pool, which has tried
 * it, unless its COMMIT was sent: work does nothing but statements. Thread-safe.
 */
public class StoreTransactions {

    /** A connection that is lost fails at once; one that does not answer has been waited for already. */
    private static final Duration MAX_TIME_BEFORE_REPEAT = Duration.ofSeconds(1);

    private final MyBatisSessions sessions;
    private final ConnectionCache connections;

    public StoreTransactions(MyBatisSessions sessions, ConnectionCache connections) {
        this.sessions = sessions;
        this.connections = connections;
    }

    /** Runs the work in a transaction of its own, on a connection that returns to the pool at once. */
    public <T extends @Nullable Object> T runAndRelease(String what, Function<StoreTransaction, T> work) {
        return run(what, work, Use.TRANSACTIONS, false);
    }

    /** The same for frequent work: the connection is kept a while for the next one. */
    public <T extends @Nullable Object> T runAndKeep(String what, Function<StoreTransaction, T> work) {
        return run(what, work, Use.TRANSACTIONS, true);
    }

    /** The same for a claim, of which each poller makes one after the other: as many connections are kept as claim at once. */
    public <T extends @Nullable Object> T claim(String what, Function<StoreTransaction, T> work) {
        return run(what, work, Use.CLAIMS, true);
    }

    /** Runs frequent statements that read, each a transaction of its own without the round trip of a COMMIT. */
    public <T extends @Nullable Object> T read(String what, Function<StoreTransaction, T> statements) {
        return run(what, statements, Use.READS, true);
    }

    /** Runs a statement that asks one server, the one that it is sent to: on a connection that is lost it fails. */
    public <T extends @Nullable Object> T await(String what, Function<StoreTransaction, T> statement) {
        CachedConnection ready = connections.take(Use.WAITS);
        return run(ready == null ? connections.borrow(what, Use.WAITS) : ready, what, statement, Use.WAITS);
    }

    /** Runs one statement of the heartbeat, on a connection kept for it. */
    public <T> T heartbeat(String what, Function<SqlSession, T> statement) {
        return connections.heartbeat(what, statement);
    }

    /** Runs the last one, on a kept connection if there is one, and returns every kept connection to the pool; from now on none is kept. */
    public <T extends @Nullable Object> T runAndClose(String what, Function<StoreTransaction, T> work) {
        try {
            connections.closeAllButTransactions(); // the pool may have no other
            try {
                return run(what, work, Use.TRANSACTIONS, false);
            } finally {
                connections.close();
            }
        } finally {
            connections.releaseHeartbeat();
        }
    }

    /** Returns the kept connections that have not been used of late. From now on some are kept. */
    public void releaseIdle() {
        connections.open();
        connections.releaseIdle();
    }

    <T extends @Nullable Object> T run(String what, Function<StoreTransaction, T> work, Use use, boolean keep) {
        connections.releaseIdle(); // before the server does, which closes it after wait_timeout
        CachedConnection ready = connections.take(use);
        Use keptFor = keep ? use : null;
        if (ready != null) {
            long began = System.nanoTime();
            try {
                return run(ready, what, work, keptFor);
            } catch (TransientQueueException e) {
                boolean lost = DatabaseError.of(e) == DatabaseError.CONNECTION && !ready.mayHaveCommitted();
                if (!lost || System.nanoTime() - began > MAX_TIME_BEFORE_REPEAT.toNanos()) {
                    throw e;
                }
            }
        }
        return run(connections.borrow(what, use), what, work, keptFor);
    }

    private <T extends @Nullable Object> T run(
            CachedConnection own, String what, Function<StoreTransaction, T> work, @Nullable Use keptFor) {
        boolean clean = false;
        boolean lost = true;
        try {
            T result = commit(own, work);
            clean = true;
            return result;
        } catch (SQLException | RuntimeException e) {
            lost = DatabaseError.of(e) == DatabaseError.CONNECTION || !own.rollBack();
            throw ExceptionTranslator.translate(what, e);
        } finally {
            if (!clean && lost) {
                own.evict();
            } else if (!clean || keptFor == null || !connections.keep(own, keptFor)) {
                ConnectionCache.returnToPool(own);
            }
        }
    }

    private <T extends @Nullable Object> T commit(CachedConnection own, Function<StoreTransaction, T> work)
            throws SQLException {
        try (SqlSession session = sessions.open(own.connection())) {
            StoreTransaction transaction = new StoreTransaction(session, () -> sessions.openBatch(own.connection()));
            T result = work.apply(transaction);
            if (own.isForReads()) {
                return result;
            }
            if (transaction.isRollbackOnly()) {
                own.connection().rollback();
            } else {
                own.commit();
            }
            return result;
        }
    }
}

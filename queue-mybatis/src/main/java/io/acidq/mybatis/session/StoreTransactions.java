package io.acidq.mybatis.session;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.ConnectionCache.Use;
import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * Runs short transactions of the store at READ COMMITTED, independent of those of the application, and the statements of the heartbeat. Busy connections
 * are kept prepared, so that a claim costs only its statements and a COMMIT; idle ones return to the pool. No connection is kept before the first call of
 * {@link #releaseIdle}. If a kept connection turns out to be lost, the work runs once more on a connection that the pool has tested, unless a COMMIT was
 * sent. This is safe because the work only executes statements. Thread-safe.
 */
public class StoreTransactions {

    /** A lost connection fails at once. If the failure took longer, the caller has waited long enough. */
    private static final Duration MAX_TIME_BEFORE_REPEAT = Duration.ofSeconds(1);

    private final MyBatisSessions sessions;
    private final ConnectionCache connections;
    private final HeartbeatConnection heartbeat;

    public StoreTransactions(MyBatisSessions sessions, ConnectionCache connections) {
        this.sessions = sessions;
        this.connections = connections;
        this.heartbeat = new HeartbeatConnection(sessions);
    }

    /** Runs the work in a transaction of its own, on a connection that then returns to the pool. */
    public <T extends @Nullable Object> T runAndRelease(String what, Function<StoreTransaction, T> work) {
        return run(what, work, Use.TRANSACTIONS, false);
    }

    /** Runs frequent work in a transaction of its own, and keeps the connection for a while. */
    public <T extends @Nullable Object> T runAndKeep(String what, Function<StoreTransaction, T> work) {
        return run(what, work, Use.TRANSACTIONS, true);
    }

    /** Runs a claim. Keeps one connection for each concurrent claim, because pollers repeat claims. */
    public <T extends @Nullable Object> T claim(String what, Function<StoreTransaction, T> work) {
        return run(what, work, Use.CLAIMS, true);
    }

    /** Runs frequent reads, each a transaction of its own without the round trip of a COMMIT. */
    public <T extends @Nullable Object> T read(String what, Function<StoreTransaction, T> statements) {
        return run(what, statements, Use.READS, true);
    }

    /** Runs a transaction of a task of the engine as {@link #runAndKeep} does. The tasks run their transactions one after the other. */
    public <T extends @Nullable Object> T runInTurn(String what, Function<StoreTransaction, T> work) {
        return inTurn(() -> runAndKeep(what, work));
    }

    /** Runs reads of a task of the engine as {@link #read} does. The tasks run their reads one after the other. */
    public <T extends @Nullable Object> T readInTurn(String what, Function<StoreTransaction, T> statements) {
        return inTurn(() -> read(what, statements));
    }

    private <T extends @Nullable Object> T inTurn(Supplier<T> work) {
        boolean hasTurn = connections.awaitTurn();
        try {
            return work.get();
        } finally {
            if (hasTurn) {
                connections.endTurn();
            }
        }
    }

    /** Runs a statement that waits on one particular server. It fails, and is not repeated, if the connection is lost. */
    public <T extends @Nullable Object> T await(String what, Function<StoreTransaction, T> statement) {
        CachedConnection ready = connections.take(Use.WAITS);
        return run(ready == null ? connections.borrow(what, Use.WAITS) : ready, what, statement, Use.WAITS, true);
    }

    /** Runs one statement on the connection of the heartbeat. */
    public <T> T heartbeat(String what, Function<SqlSession, T> statement) {
        return heartbeat.run(what, statement);
    }

    /** Runs the last transaction, on a kept connection if there is one, then returns all connections to the pool, and keeps none from now on. */
    public <T extends @Nullable Object> T runAndClose(String what, Function<StoreTransaction, T> work) {
        try {
            connections.closeAllButTransactions(); // the pool may have no other connection
            try {
                return run(what, work, Use.TRANSACTIONS, false);
            } finally {
                connections.close();
            }
        } finally {
            heartbeat.release();
        }
    }

    /** Returns idle connections to the pool, and allows connections to be kept from now on. */
    public void releaseIdle() {
        connections.open();
        connections.releaseIdle();
    }

    <T extends @Nullable Object> T run(String what, Function<StoreTransaction, T> work, Use use, boolean keep) {
        connections.releaseIdle(); // before the server closes them after wait_timeout
        CachedConnection ready = connections.take(use);
        if (ready != null) {
            long start = System.nanoTime();
            try {
                return run(ready, what, work, use, keep);
            } catch (TransientQueueException e) {
                boolean lost = DatabaseError.of(e) == DatabaseError.CONNECTION && !ready.mayHaveCommitted();
                if (!lost || System.nanoTime() - start > MAX_TIME_BEFORE_REPEAT.toNanos()) {
                    throw e;
                }
            }
        }
        return run(connections.borrow(what, use), what, work, use, keep);
    }

    private <T extends @Nullable Object> T run(
            CachedConnection own, String what, Function<StoreTransaction, T> work, Use use, boolean keep) {
        boolean clean = false;
        boolean lost = true;
        try {
            T result = commit(own, work);
            clean = true;
            return result;
        } catch (SQLException | RuntimeException e) {
            DatabaseError error = DatabaseError.of(e);
            lost = error == DatabaseError.CONNECTION
                    || error
                            == DatabaseError
                                    .READ_ONLY_TRANSACTION // left by another user: the next one must not find it
                    || !own.rollBack();
            throw ExceptionTranslator.translate(what, e);
        } finally {
            if (!clean && lost) {
                own.evict();
            } else if (!clean || !keep || !connections.keep(own, use)) {
                ConnectionCache.returnToPool(own);
            }
            connections.endUse(use);
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

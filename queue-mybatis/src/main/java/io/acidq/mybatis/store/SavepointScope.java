package io.acidq.mybatis.store;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.store.DatabaseError;
import io.acidq.store.InboxStore.AtomicWork;
import java.sql.Connection;
import java.util.function.ToIntFunction;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * A part of a transaction between a savepoint and its release. A savepoint that is gone at the end tells that the transaction is another
 * one: after a deadlock the database rolls everything back, and the next statement silently begins anew.
 */
final class SavepointScope {

    /** How many parts are open on this thread: one within another. */
    private static final ThreadLocal<Integer> OPEN = ThreadLocal.withInitial(() -> 0);

    private final MyBatisSessions sessions;
    private final Connection connection;
    private final int level;

    private SavepointScope(MyBatisSessions sessions, Connection connection, int level) {
        this.sessions = sessions;
        this.connection = connection;
        this.level = level;
    }

    static <T extends @Nullable Object, X extends Exception> T run(
            MyBatisSessions sessions, Connection connection, AtomicWork<T, X> atomicWork) throws X {
        int level = OPEN.get() + 1;
        OPEN.set(level);
        try {
            return new SavepointScope(sessions, connection, level).run(atomicWork);
        } finally {
            if (level == 1) {
                OPEN.remove();
            } else {
                OPEN.set(level - 1);
            }
        }
    }

    private <T extends @Nullable Object, X extends Exception> T run(AtomicWork<T, X> atomicWork) throws X {
        execute(m -> m.setSavepoint(level));
        T result;
        try {
            result = atomicWork.run();
        } catch (Throwable failure) {
            rollback(failure);
            throw failure;
        }
        release();
        return result;
    }

    private void release() {
        try {
            execute(m -> m.releaseSavepoint(level));
        } catch (RuntimeException e) {
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error.isTransient()) { // the connection is gone
                throw e;
            }
            throw new TransientQueueException(
                    "the transaction at the end of the inbox's work is not the one at its beginning, roll it back: either the work"
                            + " swallowed a deadlock or another error that rolls back the whole transaction (let such exceptions out)"
                            + " or it ran COMMIT, ROLLBACK or DDL on the transaction's connection (move that elsewhere)",
                    e);
        }
    }

    private void rollback(Throwable failure) {
        try {
            execute(m -> m.rollbackToSavepoint(level));
            execute(m -> m.releaseSavepoint(level));
        } catch (RuntimeException e) {
            // The database has rolled back all of it before, or the connection is gone: the first failure says why.
            failure.addSuppressed(e);
        }
    }

    private void execute(ToIntFunction<InboxMapper> statement) {
        sessions.withSession(
                connection, "allOrNothing", (SqlSession s) -> statement.applyAsInt(s.getMapper(InboxMapper.class)));
    }
}

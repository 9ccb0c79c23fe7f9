package io.acidq.mybatis.session;

import io.acidq.mybatis.session.ConnectionCache.Use;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * Store transactions that join the transaction on the calling thread instead of beginning their own. A failure rolls back to a savepoint. The
 * statements of the heartbeat also run in that transaction. Used by {@code MyBatisStore.joined}, for tests that roll back.
 */
public final class JoinedStoreTransactions extends StoreTransactions {

    private final MyBatisSessions sessions;
    private final Transactions transactions;

    public JoinedStoreTransactions(MyBatisSessions sessions, Transactions transactions) {
        super(sessions, new ConnectionCache(sessions, System::nanoTime, false)); // stays empty
        this.sessions = sessions;
        this.transactions = transactions;
    }

    @Override
    public <T extends @Nullable Object> T await(String what, Function<StoreTransaction, T> statement) {
        return run(what, statement, Use.WAITS, true);
    }

    @Override
    public <T> T heartbeat(String what, Function<SqlSession, T> statement) {
        return sessions.withSession(transactions.requireCurrent(what), what, statement);
    }

    @Override
    <T extends @Nullable Object> T run(String what, Function<StoreTransaction, T> work, Use use, boolean keep) {
        Connection connection = transactions.requireCurrent(what);
        Savepoint before = null;
        try (SqlSession session = sessions.open(connection)) {
            before = connection.setSavepoint();
            StoreTransaction transaction = new StoreTransaction(session, () -> sessions.openBatch(connection));
            T result = work.apply(transaction);
            if (transaction.isRollbackOnly()) {
                connection.rollback(before);
            }
            return result;
        } catch (SQLException | RuntimeException e) {
            rollBackTo(before, connection, e);
            throw ExceptionTranslator.translate(what, e);
        }
    }

    private static void rollBackTo(@Nullable Savepoint before, Connection connection, Exception cause) {
        try {
            if (before != null) {
                connection.rollback(before);
            }
        } catch (SQLException e) { // the database has rolled back the whole transaction
            cause.addSuppressed(e);
        }
    }
}

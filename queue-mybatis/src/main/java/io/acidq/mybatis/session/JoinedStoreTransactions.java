package io.acidq.mybatis.session;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.ConnectionCache.Use;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * Store transactions that are none: each is a part of the transaction on the calling thread, taken back to a savepoint when it fails, and the
 * heartbeat's statements run in that transaction too.
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
        return sessions.withSession(current(what), what, statement);
    }

    @Override
    <T extends @Nullable Object> T run(String what, Function<StoreTransaction, T> work, Use use, boolean keep) {
        Connection connection = current(what);
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
            undo(connection, before, e);
            throw ExceptionTranslator.translate(what, e);
        }
    }

    private static void undo(Connection connection, @Nullable Savepoint before, Exception why) {
        try {
            if (before != null) {
                connection.rollback(before);
            }
        } catch (SQLException e) { // the transaction as a whole is gone
            why.addSuppressed(e);
        }
    }

    private Connection current(String what) {
        Connection current = transactions.current();
        if (current == null) {
            throw new QueueMisuseException(what + " is to join the transaction on this thread, and none is open");
        }
        return current;
    }
}

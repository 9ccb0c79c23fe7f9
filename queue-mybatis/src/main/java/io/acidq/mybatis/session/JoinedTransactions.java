package io.acidq.mybatis.session;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.IdleConnections.Use;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/** Short transactions that are none: each is a part of the transaction on the calling thread, taken back to a savepoint when it fails. */
public final class JoinedTransactions extends ShortTransactions {

    private final Sessions sessions;
    private final Transactions transactions;

    public JoinedTransactions(Sessions sessions, Transactions transactions) {
        super(sessions);
        this.sessions = sessions;
        this.transactions = transactions;
    }

    @Override
    public <T extends @Nullable Object> T await(String what, Function<ShortTransaction, T> statement) {
        return run(what, statement, Use.WAITS, true);
    }

    @Override
    <T extends @Nullable Object> T run(String what, Function<ShortTransaction, T> work, Use use, boolean keep) {
        Connection connection = current(transactions, what);
        Savepoint before = null;
        try (SqlSession session = sessions.open(connection)) {
            before = connection.setSavepoint();
            ShortTransaction transaction = new ShortTransaction(session, () -> sessions.openBatch(connection));
            T result = work.apply(transaction);
            if (transaction.isToRollBack()) {
                connection.rollback(before);
            }
            return result;
        } catch (SQLException | RuntimeException e) {
            undo(connection, before, e);
            throw Failures.of(what, e);
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

    static Connection current(Transactions transactions, String what) {
        Connection current = transactions.current();
        if (current == null) {
            throw new QueueMisuseException(what + " is to join the transaction on this thread, and none is open");
        }
        return current;
    }
}

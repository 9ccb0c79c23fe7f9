package io.acidq.spring.transaction;

import io.acidq.TransientQueueException;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a transaction was lost while work ran in it, by a savepoint that is set before the work and released after it. After a deadlock
 * the database rolls back everything, including savepoints, and the next statement silently begins a new transaction. A commit or DDL has the
 * same effect. A missing savepoint shows that it happened.
 */
final class LostTransactionDetector {

    private LostTransactionDetector() {}

    /** Runs the work. Fails if the work ends in another transaction than it began in. */
    static <T> T runChecked(Connection connection, Callable<T> work) throws Exception {
        execute(connection, "SAVEPOINT acidq_transaction");
        T result = work.call();
        try {
            // Not by releaseSavepoint of JDBC, which does nothing in Connector/J.
            execute(connection, "RELEASE SAVEPOINT acidq_transaction");
        } catch (SQLException e) {
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error.isTransient()) { // the connection is lost
                throw e;
            }
            throw new TransientQueueException(
                    "the transaction in which the work began was lost, and the rest is rolled back: either the work swallowed a deadlock or"
                            + " another error that rolls back the whole transaction (do not catch it), or it ran COMMIT, ROLLBACK or DDL on"
                            + " the transaction's connection (run it in another transaction)",
                    e);
        }
        return result;
    }

    /**
     * Returns whether the work has changed the connection's current database.
     *
     * @param original the database in which the work began
     */
    static boolean isInOtherDatabase(Connection connection, @Nullable String original) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT DATABASE()")) {
            return row.next() && !Objects.equals(row.getString(1), original);
        } catch (SQLException e) { // the connection is lost
            return false;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

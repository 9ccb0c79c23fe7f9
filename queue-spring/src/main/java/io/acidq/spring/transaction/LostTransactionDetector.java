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
 * Detects that a transaction was lost while work ran in it, by a savepoint from its first to its last moment. After a deadlock the database
 * rolls everything back, savepoints included, and the next statement silently begins a new transaction; a commit or DDL does the same. The
 * missing savepoint shows it.
 */
final class LostTransactionDetector {

    private LostTransactionDetector() {}

    /** Runs the work; throws when it ends in another transaction than it began in. */
    static <T> T runChecked(Connection connection, Callable<T> work) throws Exception {
        execute(connection, "SAVEPOINT acidq_tripwire");
        T result = work.call();
        try {
            // In SQL, since releaseSavepoint of JDBC does nothing in Connector/J.
            execute(connection, "RELEASE SAVEPOINT acidq_tripwire");
        } catch (SQLException e) {
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error.isTransient()) { // the connection is gone
                throw e;
            }
            throw new TransientQueueException(
                    "the transaction at the end of the work is not the one at its beginning, it is rolled back: either the work"
                            + " swallowed a deadlock or another error that rolls back the whole transaction (let such exceptions out)"
                            + " or it ran COMMIT, ROLLBACK or DDL on the transaction's connection (move that elsewhere)",
                    e);
        }
        return result;
    }

    /**
     * Whether the work has changed the connection's database.
     *
     * @param home the database in which the work began
     */
    static boolean isInOtherDatabase(Connection connection, @Nullable String home) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT DATABASE()")) {
            return row.next() && !Objects.equals(row.getString(1), home);
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

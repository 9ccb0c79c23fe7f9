package io.acidq.spring.transaction;

import io.acidq.TransientQueueException;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a transaction was lost while work ran in it, by a savepoint that is set before the work and released as the last statement before
 * COMMIT, after the callbacks of the transaction. After a deadlock the database rolls back everything, including savepoints, and the next statement
 * silently begins a new transaction. A commit or DDL has the same effect. A missing savepoint shows that it happened.
 *
 * <p>If the application has callbacks before the commit, the savepoint is released before them, and another one is set after the acknowledgement. The
 * release also removes the savepoints that the work has set since, so that no callback can roll back to one of them and undo the acknowledgement.
 */
final class LostTransactionDetector {

    private LostTransactionDetector() {}

    /** What a savepoint guards. */
    enum Guard {
        /** From the first statement of the transaction. */
        WORK("acidq_transaction", "the work, or a callback before the commit (beforeCommit, beforeCompletion),"),

        /** From the acknowledgement, which is the last statement of the work. */
        CALLBACKS("acidq_acknowledged", "a callback before the commit (beforeCommit, beforeCompletion)");

        private final String savepoint;
        private final String culprit;

        Guard(String savepoint, String culprit) {
            this.savepoint = savepoint;
            this.culprit = culprit;
        }
    }

    /** Sets the savepoint. */
    static void begin(Connection connection, Guard guard) throws SQLException {
        execute(connection, "SAVEPOINT " + guard.savepoint);
    }

    /**
     * Releases the savepoint. Never throws an exception of Spring's transactions, after which a manager that commits would not roll back.
     *
     * @param who whose work it was, which begins the message of the exception
     * @throws TransientQueueException if the savepoint is gone, so that the transaction is another one than it was at the beginning, or if the
     *                                 connection is lost
     */
    static void check(Connection connection, Guard guard, String who) {
        try {
            release(connection, guard);
        } catch (SQLException e) {
            DatabaseError error = DatabaseError.of(e);
            throw new TransientQueueException(
                    error != null && error.isTransient()
                            ? "the connection of the transaction was lost before its COMMIT: run the whole transaction again"
                            : who
                                    + ": the transaction in which the work began was lost, and the rest is rolled back: either "
                                    + guard.culprit
                                    + " swallowed a deadlock or another error"
                                    + " that rolls back the whole transaction (do not catch it), or it ran COMMIT, ROLLBACK or DDL on the"
                                    + " transaction's connection (run it in another transaction),"
                                    + " or a second transaction manager of the same"
                                    + " DataSource committed it (use one manager for a DataSource)",
                    e);
        }
    }

    /** Returns the error of the database if the savepoint is gone; null if it is there, and now released, or if the connection is lost. */
    static @Nullable SQLException loss(Connection connection, Guard guard) {
        try {
            release(connection, guard);
            return null;
        } catch (SQLException e) {
            return DatabaseError.of(e) == DatabaseError.NO_SAVEPOINT ? e : null;
        }
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

    /** Not by releaseSavepoint of JDBC, which does nothing in Connector/J. */
    private static void release(Connection connection, Guard guard) throws SQLException {
        execute(connection, "RELEASE SAVEPOINT " + guard.savepoint);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package io.acidq.mybatis.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a transaction as observed by its {@link GuardedConnection}: what forbids the commit, and what forbids further use of the connection. After a
 * deadlock the database has rolled back everything, and with autocommit off the next statement silently begins another transaction. A handler that
 * swallows the error would commit half of its effects. Any thread that uses the connection may update the state.
 */
public final class TransactionState {

    private static final Logger LOG = LoggerFactory.getLogger("io.acidq");
    private static final int MAX_LENGTH = 80;

    /** Usually a few: a list costs each message less than a set. Guarded by itself. */
    private final List<Statement> openStatements = new ArrayList<>(4);

    private volatile @Nullable SQLException fatalError;
    private volatile @Nullable QueueMisuseException misuse;
    private volatile @Nullable String sessionChange;

    /** The error with which the database ended the transaction, or null. */
    public @Nullable SQLException fatalError() {
        return fatalError;
    }

    /** The exception for a forbidden call of application code, or null. */
    public @Nullable QueueMisuseException misuse() {
        return misuse;
    }

    /** The call or statement that changed the session, or null. After such a change the connection must not be used again. */
    public @Nullable String sessionChange() {
        return sessionChange;
    }

    void recordOpened(Statement statement) {
        synchronized (openStatements) {
            openStatements.add(statement);
        }
    }

    void recordClosed(Statement statement) {
        synchronized (openStatements) {
            openStatements.removeIf(open -> open == statement);
        }
    }

    /**
     * Closes the statements that application code has left open, with their result sets: a result set that is read row by row from the server prevents
     * every other statement on its connection.
     */
    public void closeStatements() {
        List<Statement> open;
        synchronized (openStatements) {
            if (openStatements.isEmpty()) {
                return;
            }
            open = List.copyOf(openStatements);
            openStatements.clear();
        }
        for (Statement statement : open) {
            try {
                statement.close();
            } catch (SQLException | RuntimeException e) { // the connection is lost, which its next use shows
                LOG.debug("A statement that a handler left open could not be closed", e);
            }
        }
    }

    void recordSessionChange(String call) {
        sessionChange = shortened(call);
    }

    void recordError(SQLException e) {
        DatabaseError error = DatabaseError.of(e);
        if (fatalError == null && (error == DatabaseError.ROLLED_BACK || error == DatabaseError.CONNECTION)) {
            fatalError = e;
        }
    }

    QueueMisuseException recordMisuse(String call) {
        QueueMisuseException refused = new QueueMisuseException(shortened(call)
                + " was called inside a transaction that AcidQ owns, so the transaction is rolled back. AcidQ itself commits when the work"
                + " returns and rolls back when it throws. DDL would commit too early, and in another database AcidQ would not find its"
                + " tables. Remove the call");
        misuse = refused;
        return refused;
    }

    private static String shortened(String call) {
        return call.length() <= MAX_LENGTH ? call : call.substring(0, MAX_LENGTH) + "…";
    }
}

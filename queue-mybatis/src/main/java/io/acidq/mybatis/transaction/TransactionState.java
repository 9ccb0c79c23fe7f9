package io.acidq.mybatis.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The state of a transaction as observed by its {@link GuardedConnection}: what forbids the commit, and what forbids further use of the connection. After a
 * deadlock the database has rolled back everything, and with autocommit off the next statement silently begins another transaction. A handler that
 * swallows the error would commit half of its effects. Any thread that uses the connection may update the state.
 */
public final class TransactionState {

    private static final int MAX_LENGTH = 80;

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

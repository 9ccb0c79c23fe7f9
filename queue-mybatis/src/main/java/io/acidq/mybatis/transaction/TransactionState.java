package io.acidq.mybatis.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The state of a transaction as its guarded connection has seen it: what forbids the commit, and what forbids the connection's next use. After a
 * deadlock the database has rolled everything back, and with autocommit off the next statement silently begins another transaction: a handler that
 * swallows the error would commit half of its effects. Every thread that uses the connection writes it.
 */
public final class TransactionState {

    private static final int MAX_LENGTH = 80;

    private volatile @Nullable SQLException fatalError;
    private volatile @Nullable QueueMisuseException misuse;
    private volatile @Nullable String sessionChange;

    /** The error after which the transaction is gone, or null. */
    public @Nullable SQLException fatalError() {
        return fatalError;
    }

    /** The forbidden call that application code made, or null. */
    public @Nullable QueueMisuseException misuse() {
        return misuse;
    }

    /** The call or statement that changed the session of the connection, or null. Others must not use the connection after it. */
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
                + " was called inside a transaction that AcidQ owns: it commits when the work returns and rolls back when it throws, DDL"
                + " would commit it before its time, and in another database its statements would miss their tables. Remove the call; it is"
                + " rolled back now");
        misuse = refused;
        return refused;
    }

    private static String shortened(String call) {
        return call.length() <= MAX_LENGTH ? call : call.substring(0, MAX_LENGTH) + "…";
    }
}

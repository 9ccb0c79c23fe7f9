package io.acidq.store;

import java.net.SocketException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of database errors. An error is classified by vendor code and SQLState, never by its text. Knows the codes of MySQL, MariaDB and H2.
 */
public enum DatabaseError {
    /** The whole transaction is gone: deadlock, snapshot conflict, certification failure. Run it again. */
    ROLLED_BACK(true),
    /** A lock was waited for too long: only the statement is gone. Roll the rest back and run it again. */
    LOCK_TIMEOUT(true),
    /** The connection is gone, or the server would not give or keep one; what was open is rolled back or unknown. */
    CONNECTION(true),
    /** The server takes no writes now: read-only, shutting down, disk full, not the primary. */
    UNAVAILABLE(true),
    /** A value of a primary or unique key is there already. */
    DUPLICATE_KEY(false),
    /** A value is refused: too long, too large, not of its column's type; or a trigger refuses it. */
    REFUSED(false),
    /** Anything else that came from the database. */
    OTHER(false);

    private static final Map<Integer, DatabaseError> CODES = Map.ofEntries(
            Map.entry(1213, ROLLED_BACK),
            Map.entry(1020, ROLLED_BACK),
            Map.entry(3101, ROLLED_BACK),
            Map.entry(40001, ROLLED_BACK), // H2: deadlock
            Map.entry(90131, ROLLED_BACK), // H2: concurrent update
            Map.entry(1205, LOCK_TIMEOUT),
            Map.entry(50200, LOCK_TIMEOUT), // H2: lock timeout
            Map.entry(1040, CONNECTION),
            Map.entry(1045, CONNECTION), // no access: a password has changed; reported only when a connection is opened
            Map.entry(1129, CONNECTION), // the host is blocked
            Map.entry(1130, CONNECTION),
            Map.entry(1226, CONNECTION), // the account has used up its connections
            Map.entry(1698, CONNECTION),
            Map.entry(1862, CONNECTION), // the password has expired
            Map.entry(3118, CONNECTION), // the account is locked
            Map.entry(4151, CONNECTION), // the same in MariaDB
            Map.entry(1203, CONNECTION),
            Map.entry(1053, CONNECTION),
            Map.entry(1317, CONNECTION),
            Map.entry(1927, CONNECTION),
            Map.entry(2006, CONNECTION),
            Map.entry(2013, CONNECTION),
            Map.entry(4031, CONNECTION),
            Map.entry(3024, LOCK_TIMEOUT),
            Map.entry(1047, UNAVAILABLE),
            Map.entry(3100, UNAVAILABLE),
            Map.entry(1180, UNAVAILABLE), // Galera: COMMIT without a majority
            Map.entry(1290, UNAVAILABLE),
            Map.entry(1836, UNAVAILABLE),
            Map.entry(1114, UNAVAILABLE),
            Map.entry(1021, UNAVAILABLE),
            Map.entry(1030, UNAVAILABLE),
            Map.entry(1048, REFUSED),
            Map.entry(1153, REFUSED), // too large, and would be again, though MariaDB closes the connection over it
            Map.entry(1264, REFUSED),
            Map.entry(1292, REFUSED),
            Map.entry(1366, REFUSED),
            Map.entry(1406, REFUSED),
            Map.entry(3819, REFUSED), // a CHECK constraint
            Map.entry(4025, REFUSED), // the same in MariaDB
            Map.entry(1062, DUPLICATE_KEY),
            Map.entry(23505, DUPLICATE_KEY)); // H2: unique violation

    private final boolean isTransient;

    DatabaseError(boolean passing) {
        this.isTransient = passing;
    }

    /** Whether the same work may succeed later. */
    public boolean isTransient() {
        return isTransient;
    }

    /** The first error of the database among a failure and its causes, or null when none is there. */
    public static @Nullable DatabaseError of(@Nullable Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable t = failure; t != null && seen.add(t); t = cause(t)) {
            if (t instanceof SQLException sql) {
                return classify(sql);
            }
        }
        return null;
    }

    private static @Nullable Throwable cause(Throwable t) {
        try {
            return t.getCause();
        } catch (Throwable broken) { // an overridden getCause() may throw, even an Error
            return null;
        }
    }

    private static DatabaseError classify(SQLException sql) {
        DatabaseError byCode = CODES.get(sql.getErrorCode());
        if (byCode != null) {
            return byCode;
        }
        if (sql.getCause() instanceof SocketException) {
            return CONNECTION;
        }
        String state = sql.getSQLState();
        if (state == null || state.isEmpty() || sql.getErrorCode() == 0) {
            if (isConnectionError(sql)) {
                return CONNECTION;
            }
        }
        return state == null ? OTHER : byState(state);
    }

    private static DatabaseError byState(String state) {
        // 25S03: MariaDB's driver has moved to another server of its URL, and the transaction was lost
        if (state.startsWith("08") || state.equals("70100") || state.equals("25S03")) {
            return CONNECTION;
        }
        if (state.startsWith("40")) {
            return ROLLED_BACK;
        }
        return state.startsWith("22") || state.startsWith("45") ? REFUSED : OTHER;
    }

    /**
     * Whether the class of an error means a lost connection, as when a pool times out: such an error has no code, and no state or that of the last error of
     * the server. For an error with a code the class means nothing: MariaDB's driver uses these classes for any state that it does not know.
     */
    private static boolean isConnectionError(SQLException sql) {
        return sql instanceof SQLRecoverableException
                || sql instanceof SQLNonTransientConnectionException
                || sql instanceof SQLTransientConnectionException;
    }
}

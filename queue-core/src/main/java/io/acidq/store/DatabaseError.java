package io.acidq.store;

import java.net.SocketException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of database errors. An error is classified by vendor code and SQLState, never by its text. Knows the codes of MySQL, MariaDB and H2.
 */
public enum DatabaseError {
    /** The whole transaction is rolled back: deadlock, snapshot conflict, certification failure. Run it again. (H2: 40001, 90131.) */
    ROLLED_BACK(true, 1213, 1020, 3101, 40001, 90131),

    /**
     * A lock timeout, or the end of the longest time of a statement (3024, on MariaDB 1969): only the statement is rolled back. Roll back the rest and
     * run it again. (H2: 50200.)
     */
    LOCK_TIMEOUT(true, 1205, 1969, 3024, 50200),

    /**
     * The connection is lost, or the server refuses or closes it; the outcome of an open transaction is a rollback or unknown. Among the codes: 1045
     * no access, because a password has changed (reported only when a connection is opened), 1129 the host is blocked, 1226 the account has used up
     * its connections, 1862 the password has expired, 3118 and, on MariaDB, 4151 the account is locked.
     */
    CONNECTION(true, 1040, 1045, 1053, 1129, 1130, 1203, 1226, 1317, 1698, 1862, 1927, 2006, 2013, 3118, 4031, 4151),

    /** The server takes no writes now: read-only, shutting down, disk full, not the primary. (1180: COMMIT in a Galera cluster without a majority.) */
    UNAVAILABLE(true, 1021, 1030, 1047, 1114, 1180, 1290, 1836, 3100),

    /** A value of a primary or unique key exists already. (H2: 23505.) */
    DUPLICATE_KEY(false, 1062, 23505),

    /**
     * A value is refused: too long, too large, not of its column's type; or a trigger or a CHECK constraint refuses it (3819, on MariaDB 4025). Also
     * a statement that is too large (1153), which would fail again, though MariaDB closes the connection over it.
     */
    REFUSED(false, 1048, 1153, 1264, 1292, 1366, 1406, 1441, 3819, 4025),

    /** The transaction may only read. If it was not begun so, another user of the connection has left such a session in the pool. */
    READ_ONLY_TRANSACTION(false, 1792),

    /** A savepoint does not exist, because its transaction has ended; or a stored procedure does not exist. (H2: 90063.) */
    NO_SAVEPOINT(false, 1305, 90063),

    /** Anything else that came from the database. */
    OTHER(false);

    private final boolean isTransient;

    DatabaseError(boolean isTransient, int... codes) {
        this.isTransient = isTransient;
        for (int code : codes) {
            Codes.ERRORS.put(code, this);
        }
    }

    /** The errors by vendor code. A class of its own, because the constructor of an enum cannot use static fields of the enum. */
    private static final class Codes {
        static final Map<Integer, DatabaseError> ERRORS = new HashMap<>();
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
        DatabaseError byCode = Codes.ERRORS.get(sql.getErrorCode());
        if (byCode != null) {
            return byCode;
        }
        if (sql.getCause() instanceof SocketException) {
            return CONNECTION;
        }
        String state = sql.getSQLState();
        if (state == null || state.isEmpty() || sql.getErrorCode() <= 0) {
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
     * Whether the class of an error means a lost connection, as when a pool times out: such an error has no state or that of the last error, and no
     * code or -1, which MariaDB's driver gives to errors of its own. For an error with a code of the server the class means nothing: MariaDB's driver
     * uses these classes for any state that it does not know.
     */
    private static boolean isConnectionError(SQLException sql) {
        return sql instanceof SQLRecoverableException
                || sql instanceof SQLNonTransientConnectionException
                || sql instanceof SQLTransientConnectionException;
    }
}

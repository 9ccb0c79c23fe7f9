package io.acidq.store;

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
 * The one table that says what an error of the database means, by vendor code and SQLState, never by text. Codes of MySQL,
 * MariaDB and H2.
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
            Map.entry(1290, UNAVAILABLE),
            Map.entry(1836, UNAVAILABLE),
            Map.entry(1114, UNAVAILABLE),
            Map.entry(1021, UNAVAILABLE),
            Map.entry(1030, UNAVAILABLE),
            Map.entry(1062, DUPLICATE_KEY),
            Map.entry(23505, DUPLICATE_KEY)); // H2: unique violation

    private final boolean passing;

    DatabaseError(boolean passing) {
        this.passing = passing;
    }

    /** Whether running the same work again later may succeed, through no fault of the work. */
    public boolean isPassing() {
        return passing;
    }

    /** The first error of the database among a failure and its causes, or null when none is there. */
    public static @Nullable DatabaseError of(@Nullable Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable t = failure; t != null && seen.add(t); t = t.getCause()) {
            if (t instanceof SQLException sql) {
                return classify(sql);
            }
        }
        return null;
    }

    private static DatabaseError classify(SQLException sql) {
        DatabaseError byCode = CODES.get(sql.getErrorCode());
        if (byCode != null) {
            return byCode;
        }
        String state = sql.getSQLState();
        if (state == null || state.isEmpty()) {
            return isOfAConnection(sql) ? CONNECTION : OTHER;
        }
        boolean lost = state.startsWith("08") || state.equals("70100");
        return lost ? CONNECTION : state.startsWith("40") ? ROLLED_BACK : OTHER;
    }

    /** Where a pool gives no state. With one the class tells nothing: MariaDB's driver makes one of these of any state that it does not know. */
    private static boolean isOfAConnection(SQLException sql) {
        return sql instanceof SQLRecoverableException
                || sql instanceof SQLNonTransientConnectionException
                || sql instanceof SQLTransientConnectionException;
    }
}

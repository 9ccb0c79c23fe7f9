package io.acidq.mybatis.store;

import io.acidq.AcidqException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.session.RawStatement.Parameters;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.Vendor;
import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.mybatis.store.KeyMapper.KeyRow;
import io.acidq.store.DatabaseError;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shortcut of {@link MessageKeyTable#take} without a session of MyBatis, which is enough for nearly every message that is due at once. A key that is
 * probably free is taken with one statement, if the isolation level guarantees that this locks nothing when the key is not free. Thread-safe.
 */
final class RawKeyInsert {

    private static final String READ_COMMITTED = "READ-COMMITTED";

    /** The number of keys that are read first before the isolation level is queried again. */
    private static final int KEYS_BETWEEN_CHECKS = 1_000;

    /** More keys than a process takes, used when its transactions have different isolation levels. */
    private static final int NEVER_CHECK = Integer.MAX_VALUE;

    private final RawStatement findKey;
    private final RawStatement insertDue;
    private final RawStatement insertDueIfFree;
    private final RawStatement level;

    /** The result of the last query of the isolation level. */
    private volatile boolean atReadCommitted;

    /** No thread queries the level until this reaches zero. A race between two threads costs at most one more query. */
    private volatile int keysUntilCheck;

    /** Whether the last key was a duplicate. If so, the next one is probably a duplicate too and is read first. */
    private volatile boolean wasTaken;

    RawKeyInsert(MyBatisSessions sessions) {
        this.findKey = statement(sessions, "findKey");
        this.insertDue = statement(sessions, "insertDue");
        this.insertDueIfFree = statement(sessions, "insertDueIfFree");
        this.level = statement(sessions, "level");
    }

    private static RawStatement statement(MyBatisSessions sessions, String id) {
        return new RawStatement(sessions, "takeKey", KeyMapper.class.getName() + "." + id);
    }

    /**
     * A definite result.
     *
     * @param holder the message that holds the key; empty if the key has just been taken
     */
    record TakeResult(Optional<KeyHolder> holder) {}

    /** Takes the key. Returns null if {@link MessageKeyTable#take} has to decide. */
    @Nullable
    TakeResult take(Connection connection, Vendor vendor, KeyRow want) {
        boolean tried = want.isDueNow() && !wasTaken && mayBeAtReadCommitted(connection, vendor);
        if (tried && insertIfFree(connection, want)) {
            return new TakeResult(Optional.empty());
        }
        HeldKey seen = findKey.queryFirst(connection, (to, name) -> bind(to, name, want), RawKeyInsert::held);
        wasTaken = seen != null;
        if (tried && seen == null && !isAtReadCommitted(connection)) { // otherwise the key was removed in between
            readBeforeInsert(NEVER_CHECK); // at this level MariaDB locks the rows that it reads
        }
        if (seen != null) {
            return seen.isExpired() ? null : new TakeResult(Optional.of(seen.holder()));
        }
        return want.isDueNow() && insert(insertDue, connection, want) == 1 ? new TakeResult(Optional.empty()) : null;
    }

    private boolean insertIfFree(Connection connection, KeyRow want) {
        try {
            return insert(insertDueIfFree, connection, want) == 1;
        } catch (AcidqException e) {
            // the level of a single transaction, which the session does not show, may have caused a deadlock
            readBeforeInsert(KEYS_BETWEEN_CHECKS);
            throw e;
        }
    }

    private void readBeforeInsert(int keys) {
        keysUntilCheck = keys;
        atReadCommitted = false;
    }

    /** Whether the transaction is likely to be at READ COMMITTED. */
    private boolean mayBeAtReadCommitted(Connection connection, Vendor vendor) {
        if (atReadCommitted) {
            return true;
        }
        int left = keysUntilCheck;
        if (left > 0) {
            keysUntilCheck = left - 1;
            return false;
        }
        keysUntilCheck = KEYS_BETWEEN_CHECKS;
        atReadCommitted = vendor != Vendor.H2 && isAtReadCommitted(connection);
        return atReadCommitted;
    }

    private boolean isAtReadCommitted(Connection connection) {
        return READ_COMMITTED.equals(level.queryFirst(connection, (to, name) -> {}, row -> row.getString(1)));
    }

    private static HeldKey held(ResultSet row) throws SQLException {
        return new HeldKey(Objects.requireNonNull(TypeHandlers.uuid(row, 1)), row.getInt(2), row.getInt(3));
    }

    /** Returns the number of inserted rows, 0 for a duplicate. */
    private static int insert(RawStatement statement, Connection connection, KeyRow want) {
        try {
            return statement.update(connection, (to, name) -> bind(to, name, want));
        } catch (AcidqException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return 0;
        }
    }

    private static void bind(Parameters to, String name, KeyRow want) throws SQLException {
        switch (name) {
            case "queue" -> to.number(want.queue());
            case "key" -> to.bytes(TypeHandlers.bytes(want.key()));
            case "uid" -> to.bytes(TypeHandlers.bytes(want.uid()));
            case "lane" -> to.number(want.lane());
            case "micros" -> to.number(want.end().micros());
            default -> throw new IllegalArgumentException("unknown parameter of a key: " + name);
        }
    }
}

package io.acidq.mybatis.store;

import io.acidq.AcidqException;
import io.acidq.mybatis.session.DirectStatement;
import io.acidq.mybatis.session.DirectStatement.Parameters;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.Vendor;
import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.store.DatabaseError;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of {@link KeyTaking}, which is the end of it for nearly every key of a message that is due at once. A key that is likely to be free
 * is taken by one statement, where that locks nothing when it is not. Thread-safe.
 */
final class QuickKeyTaking {

    private static final String READ_COMMITTED = "READ-COMMITTED";

    /** So many keys are looked at first before the isolation level of a transaction is asked for again. */
    private static final int ASK_AGAIN = 1_000;

    /** More keys than a process takes: its transactions are of several levels. */
    private static final int FOR_GOOD = Integer.MAX_VALUE;

    private final DirectStatement look;
    private final DirectStatement insertDue;
    private final DirectStatement insertDueIfFree;
    private final DirectStatement level;

    /** Of the last transaction that was asked. */
    private volatile boolean atReadCommitted;

    /** Until then nobody asks. Of two threads at once one may ask too much. */
    private volatile int untilAsked;

    /** Whether the last key was a duplicate: then the next one may well be, and is looked at first. */
    private volatile boolean wasTaken;

    QuickKeyTaking(MyBatisSessions sessions) {
        this.look = statement(sessions, "look");
        this.insertDue = statement(sessions, "insertDue");
        this.insertDueIfFree = statement(sessions, "insertDueIfFree");
        this.level = statement(sessions, "level");
    }

    private static DirectStatement statement(MyBatisSessions sessions, String id) {
        return new DirectStatement(sessions, "takeKey", KeyMapper.class.getName() + "." + id);
    }

    /** The answer; null when {@link KeyTaking} has to find out. */
    @Nullable
    Answer take(Connection connection, Vendor vendor, WantedKey want) {
        boolean tried = want.isDueNow() && !wasTaken && mayBeAtReadCommitted(connection, vendor);
        if (tried && insertIfFree(connection, want)) {
            return new Answer(Optional.empty());
        }
        HeldKey seen = look.first(connection, (to, name) -> bind(to, name, want), QuickKeyTaking::held);
        wasTaken = seen != null;
        if (tried && seen == null && !isAtReadCommitted(connection)) { // else the key was purged in between
            lookFirst(FOR_GOOD); // MariaDB locks for such a transaction what it looks at
        }
        if (seen != null) {
            return seen.isExpired() ? null : new Answer(Optional.of(new KeyHolder(seen.uid(), seen.lane())));
        }
        return want.isDueNow() && insert(insertDue, connection, want) == 1 ? new Answer(Optional.empty()) : null;
    }

    private boolean insertIfFree(Connection connection, WantedKey want) {
        try {
            return insert(insertDueIfFree, connection, want) == 1;
        } catch (AcidqException e) {
            lookFirst(ASK_AGAIN); // a deadlock may come of one transaction's level, which the session does not tell
            throw e;
        }
    }

    private void lookFirst(int keys) {
        untilAsked = keys;
        atReadCommitted = false;
    }

    /** Whether the transaction is likely to be at READ COMMITTED. */
    private boolean mayBeAtReadCommitted(Connection connection, Vendor vendor) {
        if (atReadCommitted) {
            return true;
        }
        int left = untilAsked;
        if (left > 0) {
            untilAsked = left - 1;
            return false;
        }
        untilAsked = ASK_AGAIN;
        atReadCommitted = vendor != Vendor.H2 && isAtReadCommitted(connection);
        return atReadCommitted;
    }

    private boolean isAtReadCommitted(Connection connection) {
        return READ_COMMITTED.equals(level.first(connection, (to, name) -> {}, row -> row.getString(1)));
    }

    /**
     * What is certain.
     *
     * @param holder who holds the key; empty when it has just been taken
     */
    record Answer(Optional<KeyHolder> holder) {}

    private static HeldKey held(ResultSet row) throws SQLException {
        return new HeldKey(Objects.requireNonNull(TypeHandlers.uuid(row, 1)), row.getInt(2), row.getInt(3));
    }

    /** How many rows it inserted: none after a duplicate. */
    private static int insert(DirectStatement statement, Connection connection, WantedKey want) {
        try {
            return statement.run(connection, (to, name) -> bind(to, name, want));
        } catch (AcidqException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return 0;
        }
    }

    private static void bind(Parameters to, String name, WantedKey want) throws SQLException {
        switch (name) {
            case "queue" -> to.number(want.queue());
            case "key" -> to.bytes(TypeHandlers.bytes(want.key()));
            case "uid" -> to.bytes(TypeHandlers.bytes(want.uid()));
            case "lane" -> to.number(want.lane());
            case "micros" -> to.number(want.end().micros());
            default -> throw new IllegalArgumentException("no part of a wanted key: " + name);
        }
    }
}

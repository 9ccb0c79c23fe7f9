package io.acidq.mybatis.store;

import io.acidq.AcidqException;
import io.acidq.mybatis.session.Columns;
import io.acidq.mybatis.session.Parameters;
import io.acidq.mybatis.session.PlainStatement;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.store.DatabaseError;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The beginning of {@link KeyTaking}, which is the end of it for nearly every key of a message that is due at once. Thread-safe. */
final class QuickKeyTaking {

    private final PlainStatement look;
    private final PlainStatement insertDue;

    QuickKeyTaking(Sessions sessions) {
        this.look = new PlainStatement(sessions, "takeKey", KeyMapper.class.getName() + ".look");
        this.insertDue = new PlainStatement(sessions, "takeKey", KeyMapper.class.getName() + ".insertDue");
    }

    /** The answer; null when {@link KeyTaking} has to find out. */
    @Nullable
    Answer take(Connection connection, WantedKey want) {
        HeldKey seen = look.first(connection, (to, name) -> bind(to, name, want), QuickKeyTaking::held);
        if (seen != null) {
            return seen.isExpired() ? null : new Answer(Optional.of(new KeyHolder(seen.uid(), seen.lane())));
        }
        return want.isDueNow() && insertDue(connection, want) ? new Answer(Optional.empty()) : null;
    }

    /**
     * What is certain.
     *
     * @param holder who holds the key; empty when it has just been taken
     */
    record Answer(Optional<KeyHolder> holder) {}

    private static HeldKey held(ResultSet row) throws SQLException {
        return new HeldKey(Objects.requireNonNull(Columns.uuid(row, 1)), row.getInt(2), row.getInt(3));
    }

    private boolean insertDue(Connection connection, WantedKey want) {
        try {
            insertDue.run(connection, (to, name) -> bind(to, name, want));
            return true;
        } catch (AcidqException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return false;
        }
    }

    private static void bind(Parameters to, String name, WantedKey want) throws SQLException {
        switch (name) {
            case "queue" -> to.number(want.queue());
            case "key" -> to.bytes(Columns.bytes(want.key()));
            case "uid" -> to.bytes(Columns.bytes(want.uid()));
            case "lane" -> to.number(want.lane());
            case "micros" -> to.number(want.end().micros());
            default -> throw new IllegalArgumentException("no part of a wanted key: " + name);
        }
    }
}

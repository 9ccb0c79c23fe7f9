package io.acidq.mybatis.store;

import io.acidq.AcidqException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.DirectStatement;
import io.acidq.mybatis.session.DirectStatement.Parameters;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.Vendor;
import io.acidq.mybatis.store.DeadLetterMapper.StrayKey;
import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.mybatis.store.KeyMapper.HeldKeyByName;
import io.acidq.mybatis.store.KeyMapper.LockedKey;
import io.acidq.mybatis.store.KeyMapper.ScheduledRow;
import io.acidq.mybatis.store.KeyMapper.WrittenKey;
import io.acidq.store.DatabaseError;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.MessageRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;

/**
 * The table of message keys, in a transaction that the caller has begun: takes keys, locks them, writes them, and finds out who holds them.
 */
final class MessageKeyTable {

    /** Keys in one statement. */
    private static final int KEYS_PER_STATEMENT = 500;

    /** A key can vanish (purged) between two statements; not that often. */
    private static final int MAX_TRIES = 5;

    private final KeyMapper mapper;

    MessageKeyTable(KeyMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Takes a key; empty when it is now the message's, else its holder. A plain look comes first, so that the common duplicate locks nothing;
     * an expired key is taken over by one UPDATE, not after a failed INSERT, whose shared lock would let two who want the key die of a
     * deadlock.
     */
    Optional<KeyHolder> take(KeyRow want) {
        for (int i = 0; i < MAX_TRIES; i++) {
            HeldKey seen = mapper.findKey(want);
            if (seen == null) {
                if (insert(want)) {
                    return Optional.empty();
                }
            } else if (!seen.isExpired() || mapper.countLiving(want.queue(), seen.lane(), seen.uid()) > 0) {
                return Optional.of(seen.holder());
            } else if (mapper.takeOverIfExpired(want, seen.uid()) == 1) {
                return Optional.empty();
            }
            HeldKey newest = mapper.findNewestKey(want);
            if (newest != null && (!newest.isExpired() || !newest.equals(mapper.findKey(want)))) {
                // a snapshot older than the key cannot tell whether its message lives: it does
                return Optional.of(newest.holder());
            }
        }
        throw new TransientQueueException(
                "the key '" + want.key() + "' changed hands " + MAX_TRIES + " times while it was asked for",
                new SQLException("no winner"));
    }

    private boolean insert(KeyRow want) {
        return unlessDuplicate(() -> mapper.insert(want));
    }

    private static boolean unlessDuplicate(Runnable insert) {
        try {
            insert.run();
            return true;
        } catch (PersistenceException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Takes many keys: a plain look at all of them, one INSERT of the free ones. When another transaction takes one of them in between, the
     * INSERT as a whole does nothing, and each half is tried anew.
     */
    List<Optional<KeyHolder>> takeAll(List<KeyRow> wants) {
        Map<String, Optional<KeyHolder>> answers = new HashMap<>();
        for (int from = 0; from < wants.size(); from += KEYS_PER_STATEMENT) {
            takeChunk(wants.subList(from, Math.min(from + KEYS_PER_STATEMENT, wants.size())), answers);
        }
        return wants.stream()
                .map(w -> answers.getOrDefault(w.key(), Optional.empty()))
                .toList();
    }

    private void takeChunk(List<KeyRow> wants, Map<String, Optional<KeyHolder>> answers) {
        if (wants.size() == 1) {
            answers.put(wants.get(0).key(), take(wants.get(0)));
            return;
        }
        Map<String, HeldKeyByName> held = mapper.findKeys(wants.get(0).queue(), keys(wants)).stream()
                .collect(Collectors.toMap(HeldKeyByName::key, Function.identity()));
        List<KeyRow> free = new ArrayList<>();
        for (KeyRow want : wants) {
            HeldKeyByName found = held.get(want.key());
            if (found == null) {
                free.add(want);
            } else if (found.isExpired()) {
                answers.put(want.key(), take(want));
            } else {
                answers.put(want.key(), Optional.of(new KeyHolder(found.uid(), found.lane())));
            }
        }
        if (free.size() == 1) {
            answers.put(free.get(0).key(), take(free.get(0)));
        } else if (!free.isEmpty() && !unlessDuplicate(() -> mapper.insertMany(free))) {
            int middle = free.size() / 2;
            takeChunk(free.subList(0, middle), answers);
            takeChunk(free.subList(middle, free.size()), answers);
        }
    }

    /** Locks the keys, and takes those that are free; returns the newest state of each. */
    List<KeyState> lock(List<KeyRow> wants) {
        List<KeyState> states = new ArrayList<>();
        for (int from = 0; from < wants.size(); from += KEYS_PER_STATEMENT) {
            List<KeyRow> piece = wants.subList(from, Math.min(from + KEYS_PER_STATEMENT, wants.size()));
            mapper.insertOrLock(piece);
            Map<String, LockedKey> locked = locked(piece);
            piece.forEach(
                    want -> states.add(takeOverIfFree(want, found(locked, want)).state()));
        }
        return states;
    }

    /** The key itself, or the taken one if its window has ended and its message is gone. */
    private LockedKey takeOverIfFree(KeyRow want, LockedKey key) {
        boolean free = key.expired() != 0
                && !key.uid().equals(want.uid())
                && isInSnapshot(want, key)
                && mapper.countLiving(want.queue(), key.lane(), key.uid()) == 0
                && mapper.takeOverIfExpired(want, key.uid()) == 1;
        return free ? found(locked(List.of(want)), want) : key;
    }

    /** A snapshot of the caller's that is older than the key cannot tell whether its message lives: it does. */
    private boolean isInSnapshot(KeyRow want, LockedKey key) {
        HeldKey seen = mapper.findKey(want);
        return seen != null && seen.uid().equals(key.uid());
    }

    private Map<String, LockedKey> locked(List<KeyRow> wants) {
        return mapper.locked(wants.get(0).queue(), keys(wants)).stream()
                .collect(Collectors.toMap(LockedKey::key, Function.identity()));
    }

    private static LockedKey found(Map<String, LockedKey> locked, KeyRow want) {
        LockedKey key = locked.get(want.key());
        if (key == null) {
            throw new IllegalStateException("the key '" + want.key() + "' was locked and is not there");
        }
        return key;
    }

    private static List<String> keys(List<KeyRow> wants) {
        return wants.stream().map(KeyRow::key).toList();
    }

    /** Gives the message that holds a locked key another content, if it waits for its first due time. */
    boolean replaceIfScheduled(KeyState found, MessageRow content) {
        Instant due = found.due();
        UUID uid = found.holder().uid();
        if (due != null
                && found.scheduledId() != 0
                && replace(new ScheduledRow(uid, due, found.scheduledId(), 0), content)) {
            return true;
        }
        List<ScheduledRow> seen = found.scheduledId() == 0 ? mapper.scheduled(List.of(uid)) : List.of();
        for (ScheduledRow row : seen) {
            if (replace(row, content)) {
                return true;
            }
        }
        ScheduledRow newest = mapper.lockScheduled(uid);
        if (newest != null) {
            replace(newest, content); // it is locked; a driver may count what stays as it was as nothing
        }
        return newest != null;
    }

    private boolean replace(ScheduledRow place, MessageRow content) {
        InsertRow row = InsertRow.of(content);
        Instant due = row.dueAt();
        return due != null && mapper.replaceIfScheduled(place, row, due) == 1;
    }

    /** Writes who holds locked keys. */
    void write(List<KeyWrite> writes) {
        for (int from = 0; from < writes.size(); from += KEYS_PER_STATEMENT) {
            List<KeyWrite> piece = writes.subList(from, Math.min(from + KEYS_PER_STATEMENT, writes.size()));
            Map<UUID, Long> ids = scheduledIds(piece);
            mapper.write(piece.stream()
                    .map(w -> written(w, ids.getOrDefault(w.claim().uid(), w.scheduledId())))
                    .toList());
        }
    }

    private static WrittenKey written(KeyWrite write, long scheduledId) {
        Instant due = write.claim().due().at();
        return new WrittenKey(
                KeyRow.of(write.claim()), write.takenAt(), due == null ? null : Micros.notBefore(due), scheduledId);
    }

    /** Of the messages that this transaction has inserted, which every snapshot of its own shows. */
    private Map<UUID, Long> scheduledIds(List<KeyWrite> writes) {
        List<UUID> unknown = writes.stream()
                .filter(w -> w.scheduledId() == 0 && !w.claim().due().isNow())
                .map(w -> w.claim().uid())
                .toList();
        Map<UUID, Long> ids = new HashMap<>();
        if (!unknown.isEmpty()) {
            mapper.scheduled(unknown).forEach(row -> ids.put(row.uid(), row.id()));
        }
        return ids;
    }

    /**
     * Takes keys for dead letters that are to be replayed. A dead letter holds its key, whatever its window, so that it has to take its key
     * again only after an operator has deleted rows of keys by hand.
     *
     * @param strays the letters whose key is not theirs
     * @return the letters whose key another message holds
     */
    Set<UUID> takeOrRefuse(List<StrayKey> strays) {
        return strays.stream().filter(s -> !canTake(s)).map(StrayKey::uid).collect(Collectors.toSet());
    }

    private boolean canTake(StrayKey stray) {
        Window none = new Window(Duration.ZERO, true);
        KeyClaim want = new KeyClaim(stray.queue(), stray.key(), stray.uid(), stray.lane(), Due.NOW, none);
        Optional<KeyHolder> holder = take(KeyRow.of(want));
        return holder.isEmpty() || holder.get().uid().equals(stray.uid());
    }

    /** How many letters {@link #takeOrRefuse} would refuse; takes nothing. */
    int countRefused(List<StrayKey> strays) {
        return (int) strays.stream().filter(this::isHeld).count();
    }

    private boolean isHeld(StrayKey stray) {
        @Nullable UUID holder = stray.holder();
        @Nullable Integer lane = stray.holderLane();
        return holder != null
                && lane != null
                && (stray.expired() == 0 || mapper.countLiving(stray.queue(), lane, holder) > 0);
    }

    /**
     * The quick way to take one key, without a session of MyBatis: nearly every key of a message that is due at once needs no other. A key that
     * is likely to be free is taken by one statement, where that locks nothing when the key is not free. Thread-safe.
     */
    static final class QuickTake {

        private static final String READ_COMMITTED = "READ-COMMITTED";

        /** After this many keys that are looked at first, the isolation level of a transaction is asked for again. */
        private static final int KEYS_BETWEEN_CHECKS = 1_000;

        /** More keys than a process takes: its transactions are of several levels. */
        private static final int NEVER_CHECK = Integer.MAX_VALUE;

        private final DirectStatement findKey;
        private final DirectStatement insertDue;
        private final DirectStatement insertDueIfFree;
        private final DirectStatement level;

        /** Of the last transaction that was asked. */
        private volatile boolean atReadCommitted;

        /** Until this reaches zero no thread asks. Of two threads at once one may ask too much. */
        private volatile int keysUntilCheck;

        /** Whether the last key was a duplicate: then the next one may well be, and is looked at first. */
        private volatile boolean wasTaken;

        QuickTake(MyBatisSessions sessions) {
            this.findKey = statement(sessions, "findKey");
            this.insertDue = statement(sessions, "insertDue");
            this.insertDueIfFree = statement(sessions, "insertDueIfFree");
            this.level = statement(sessions, "level");
        }

        private static DirectStatement statement(MyBatisSessions sessions, String id) {
            return new DirectStatement(sessions, "takeKey", KeyMapper.class.getName() + "." + id);
        }

        /**
         * A certain answer.
         *
         * @param holder the message that holds the key; empty when the key has just been taken
         */
        record Answer(Optional<KeyHolder> holder) {}

        /** The answer; null when {@link MessageKeyTable#take} has to find out. */
        @Nullable
        Answer take(Connection connection, Vendor vendor, KeyRow want) {
            boolean tried = want.isDueNow() && !wasTaken && mayBeAtReadCommitted(connection, vendor);
            if (tried && insertIfFree(connection, want)) {
                return new Answer(Optional.empty());
            }
            HeldKey seen = findKey.queryFirst(connection, (to, name) -> bind(to, name, want), QuickTake::held);
            wasTaken = seen != null;
            if (tried && seen == null && !isAtReadCommitted(connection)) { // else the key was purged in between
                readBeforeInsert(NEVER_CHECK); // MariaDB locks for such a transaction what it looks at
            }
            if (seen != null) {
                return seen.isExpired() ? null : new Answer(Optional.of(seen.holder()));
            }
            return want.isDueNow() && insert(insertDue, connection, want) == 1 ? new Answer(Optional.empty()) : null;
        }

        private boolean insertIfFree(Connection connection, KeyRow want) {
            try {
                return insert(insertDueIfFree, connection, want) == 1;
            } catch (AcidqException e) {
                readBeforeInsert(
                        KEYS_BETWEEN_CHECKS); // a deadlock may come of one transaction's level, which the session does
                // not tell
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

        /** How many rows it inserted: none after a duplicate. */
        private static int insert(DirectStatement statement, Connection connection, KeyRow want) {
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
                default -> throw new IllegalArgumentException("no part of a wanted key: " + name);
            }
        }
    }
}

package io.acidq.mybatis.store;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.store.DeadLetterMapper.StrayKey;
import io.acidq.mybatis.store.EnqueueMapper.InsertRow;
import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.mybatis.store.KeyMapper.HeldKeyByName;
import io.acidq.mybatis.store.KeyMapper.KeyRow;
import io.acidq.mybatis.store.KeyMapper.LockedKey;
import io.acidq.mybatis.store.KeyMapper.ScheduledRow;
import io.acidq.mybatis.store.KeyMapper.WrittenKey;
import io.acidq.store.DatabaseError;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;

/**
 * Takes, locks and writes message keys, and finds their holders, in a transaction of the caller.
 */
final class MessageKeyTable {

    /** A key can be removed between two statements, but not repeatedly. */
    private static final int MAX_TRIES = 5;

    private final KeyMapper mapper;

    MessageKeyTable(KeyMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Takes a key. Returns its holder, or empty if the message has taken it. A read without locks comes first, so that the common duplicate locks nothing.
     * An expired key is taken over with one UPDATE instead of a failed INSERT, whose shared lock would cause a deadlock between two callers.
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
            if (newest == null && insert(want)) { // the row is gone, although an older snapshot may show it at each try
                return Optional.empty();
            }
            if (newest != null && (!newest.isExpired() || !newest.equals(mapper.findKey(want)))) {
                // this snapshot is older than the key, so its message exists although the snapshot does not show it
                return Optional.of(newest.holder());
            }
        }
        throw new TransientQueueException(
                "key '" + want.key() + "' changed hands " + MAX_TRIES
                        + " times while this call tried to take it: run the transaction again",
                new SQLException("the key was free and taken again each time"));
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
     * Takes many keys, as many as one statement takes: reads all of them without locks, then inserts the free ones with one INSERT. If another
     * transaction takes one of them in between, the INSERT fails as a whole, and each half is tried again.
     */
    List<Optional<KeyHolder>> takeAll(List<KeyRow> wants) {
        Map<String, Optional<KeyHolder>> answers = new HashMap<>();
        takeAll(wants, answers);
        return wants.stream()
                .map(w -> answers.getOrDefault(w.key(), Optional.empty()))
                .toList();
    }

    private void takeAll(List<KeyRow> wants, Map<String, Optional<KeyHolder>> answers) {
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
            takeAll(free.subList(0, middle), answers);
            takeAll(free.subList(middle, free.size()), answers);
        }
    }

    /** Locks the keys, as many as one statement takes, takes the free ones, and returns the newest state of each. */
    List<KeyState> lock(List<KeyRow> wants) {
        mapper.insertOrLock(wants);
        Map<String, LockedKey> locked = locked(wants);
        return wants.stream()
                .map(want -> takeOverIfFree(want, found(locked, want)).state())
                .toList();
    }

    /** Takes the key over if its window has ended and its message no longer exists. Returns its state after that. */
    private LockedKey takeOverIfFree(KeyRow want, LockedKey key) {
        boolean free = key.expired() != 0
                && !key.uid().equals(want.uid())
                && isInSnapshot(want, key)
                && mapper.countLiving(want.queue(), key.lane(), key.uid()) == 0
                && mapper.takeOverIfExpired(want, key.uid()) == 1;
        return free ? found(locked(List.of(want)), want) : key;
    }

    /** Whether the snapshot of the transaction shows the key. An older snapshot cannot show whether its message exists, and it does exist. */
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
            throw new IllegalStateException("the row of key '" + want.key()
                    + "' was not found in acidq_key after it had been locked: compare the tables with Schema.check");
        }
        return key;
    }

    private static List<String> keys(List<KeyRow> wants) {
        return wants.stream().map(KeyRow::key).toList();
    }

    /** Replaces the content of the message that holds a locked key, if the message waits for its first due time. */
    boolean replaceIfScheduled(KeyState found, MessageRow content) {
        return changeIfScheduled(found, place -> replace(place, content));
    }

    /** Locks a key that the snapshot shows: a locking read of a missing row would lock a gap at REPEATABLE READ. */
    Optional<KeyState> lockIfPresent(int queue, String key) {
        List<String> keys = List.of(key);
        return mapper.findKeys(queue, keys).isEmpty()
                ? Optional.empty()
                : mapper.locked(queue, keys).stream().findFirst().map(LockedKey::state);
    }

    boolean withdrawIfScheduled(int queue, KeyState found) {
        return changeIfScheduled(found, place -> mapper.withdrawIfScheduled(place) == 1)
                && mapper.releaseHeld(queue, found.key(), found.holder().uid()) == 1;
    }

    boolean rescheduleIfScheduled(KeyState found, Instant due) {
        Instant at = Microseconds.notBefore(due);
        return changeIfScheduled(found, place -> mapper.rescheduleIfScheduled(place, at) == 1);
    }

    @FunctionalInterface
    private interface PlaceChange {

        /** Changes the row at this place if the message is there and waits for its first due time. */
        boolean isDone(ScheduledRow place);
    }

    /** Changes the row of the message that holds a locked key. Looks for it at its place, then in the snapshot, then with a lock. */
    private boolean changeIfScheduled(KeyState found, PlaceChange change) {
        Instant due = found.due();
        UUID uid = found.holder().uid();
        if (due != null
                && found.scheduledId() != 0
                && change.isDone(new ScheduledRow(uid, due, found.scheduledId(), 0))) {
            return true;
        }
        List<ScheduledRow> seen = found.scheduledId() == 0 ? mapper.scheduled(List.of(uid)) : List.of();
        for (ScheduledRow row : seen) {
            if (change.isDone(row)) {
                return true;
            }
        }
        ScheduledRow newest = mapper.lockScheduled(uid);
        if (newest != null) {
            change.isDone(newest); // the row is locked, and a driver may not count an unchanged row
        }
        return newest != null;
    }

    private boolean replace(ScheduledRow place, MessageRow content) {
        InsertRow row = InsertRow.of(content);
        Instant due = row.dueAt();
        return due != null && mapper.replaceIfScheduled(place, row, due) == 1;
    }

    /** Writes the holders of locked keys, as many as one statement takes. */
    void write(List<KeyWrite> writes) {
        Map<UUID, Long> ids = scheduledIds(writes);
        mapper.write(writes.stream()
                .map(w -> written(w, ids.getOrDefault(w.claim().uid(), w.scheduledId())))
                .toList());
    }

    private static WrittenKey written(KeyWrite write, long scheduledId) {
        Instant due = write.claim().due().at();
        return new WrittenKey(
                KeyRow.of(write.claim()),
                write.takenAt(),
                due == null ? null : Microseconds.notBefore(due),
                scheduledId);
    }

    /** Reads the ids of messages that this transaction has inserted, which its snapshot shows. */
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
     * Takes the keys of dead letters before their replay. A dead letter normally still holds its key, even after the end of the window. If an operator has deleted
     * the row of the key, the letter must take the key again.
     *
     * @param strays the letters that no longer hold their key
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

    /** Returns how many letters {@link #takeOrRefuse} would refuse, without taking keys. */
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
}

package io.acidq.mybatis.store;

import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.mybatis.store.KeyMapper.LockedKey;
import io.acidq.mybatis.store.KeyMapper.Place;
import io.acidq.mybatis.store.KeyMapper.WrittenKey;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.MessageRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Keys whose rows the caller's transaction locks, and the messages that wait for their due time under them. */
final class KeyLocking {

    private final KeyMapper mapper;

    KeyLocking(KeyMapper mapper) {
        this.mapper = mapper;
    }

    List<KeyState> lock(List<WantedKey> wants) {
        List<KeyState> states = new ArrayList<>();
        for (int from = 0; from < wants.size(); from += BulkKeyTaking.KEYS) {
            List<WantedKey> piece = wants.subList(from, Math.min(from + BulkKeyTaking.KEYS, wants.size()));
            mapper.insertOrLock(piece);
            Map<String, LockedKey> locked = read(piece);
            piece.forEach(want -> states.add(freed(want, found(locked, want)).state()));
        }
        return states;
    }

    /** The key itself, or the taken one if its window has ended and its message is gone. */
    private LockedKey freed(WantedKey want, LockedKey key) {
        boolean free = key.expired() != 0
                && !key.uid().equals(want.uid())
                && isInSnapshot(want, key)
                && mapper.lives(want.queue(), key.lane(), key.uid()) == 0
                && mapper.takeOverIfExpired(want, key.uid()) == 1;
        return free ? found(read(List.of(want)), want) : key;
    }

    /** A snapshot of the caller's that is older than the key can not tell whether its message lives: it does. */
    private boolean isInSnapshot(WantedKey want, LockedKey key) {
        HeldKey seen = mapper.look(want);
        return seen != null && seen.uid().equals(key.uid());
    }

    boolean replaceIfScheduled(KeyState found, MessageRow content) {
        Instant due = found.due();
        UUID uid = found.holder().uid();
        if (due != null && found.scheduledId() != 0 && replace(new Place(uid, due, found.scheduledId(), 0), content)) {
            return true;
        }
        for (Place seen : found.scheduledId() == 0 ? mapper.scheduled(List.of(uid)) : List.<Place>of()) {
            if (replace(seen, content)) {
                return true;
            }
        }
        Place newest = mapper.lockScheduled(uid);
        if (newest != null) {
            replace(newest, content); // it is locked; a driver may count what stays as it was as nothing
        }
        return newest != null;
    }

    private boolean replace(Place place, MessageRow content) {
        NewRow row = NewRow.of(content);
        Instant due = row.dueAt();
        return due != null && mapper.replaceIfScheduled(place, row, due) == 1;
    }

    void write(List<KeyWrite> writes) {
        for (int from = 0; from < writes.size(); from += BulkKeyTaking.KEYS) {
            List<KeyWrite> piece = writes.subList(from, Math.min(from + BulkKeyTaking.KEYS, writes.size()));
            Map<UUID, Long> ids = scheduledIds(piece);
            mapper.write(piece.stream()
                    .map(w -> written(w, ids.getOrDefault(w.claim().uid(), w.scheduledId())))
                    .toList());
        }
    }

    private static WrittenKey written(KeyWrite write, long scheduledId) {
        Instant due = write.claim().due().at();
        return new WrittenKey(
                WantedKey.of(write.claim()), write.takenAt(), due == null ? null : Micros.notBefore(due), scheduledId);
    }

    /** Of what this transaction has inserted, which every snapshot of its own shows. */
    private Map<UUID, Long> scheduledIds(List<KeyWrite> writes) {
        List<UUID> unknown = writes.stream()
                .filter(w -> w.scheduledId() == 0 && !w.claim().due().isNow())
                .map(w -> w.claim().uid())
                .toList();
        Map<UUID, Long> ids = new HashMap<>();
        if (!unknown.isEmpty()) {
            mapper.scheduled(unknown).forEach(p -> ids.put(p.uid(), p.id()));
        }
        return ids;
    }

    private Map<String, LockedKey> read(List<WantedKey> wants) {
        List<String> keys = wants.stream().map(WantedKey::key).toList();
        return mapper.locked(wants.get(0).queue(), keys).stream().collect(Collectors.toMap(LockedKey::key, k -> k));
    }

    private static LockedKey found(Map<String, LockedKey> locked, WantedKey want) {
        LockedKey key = locked.get(want.key());
        if (key == null) {
            throw new IllegalStateException("the key '" + want.key() + "' was locked and is not there");
        }
        return key;
    }
}

package io.acidq.mybatis.store;

import io.acidq.mybatis.store.KeyMapper.HeldKeyOf;
import io.acidq.store.DatabaseError;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.ibatis.exceptions.PersistenceException;

/**
 * Takes many keys in the caller's transaction: a plain look at all of them, one INSERT of those that nobody holds. When somebody takes
 * one of them in between, the INSERT as a whole does nothing, and each half is tried anew.
 */
final class BulkKeyTaking {

    static final int KEYS = 500;

    private final KeyMapper mapper;
    private final Map<String, Optional<KeyHolder>> answers = new HashMap<>();

    BulkKeyTaking(KeyMapper mapper) {
        this.mapper = mapper;
    }

    List<Optional<KeyHolder>> take(List<WantedKey> wants) {
        for (int from = 0; from < wants.size(); from += KEYS) {
            settle(wants.subList(from, Math.min(from + KEYS, wants.size())));
        }
        return wants.stream()
                .map(w -> answers.getOrDefault(w.key(), Optional.empty()))
                .toList();
    }

    private void settle(List<WantedKey> wants) {
        if (wants.size() == 1) {
            takeAlone(wants.get(0));
            return;
        }
        Map<String, HeldKeyOf> held = look(wants);
        List<WantedKey> free = new ArrayList<>();
        for (WantedKey want : wants) {
            HeldKeyOf found = held.get(want.key());
            if (found == null) {
                free.add(want);
            } else if (found.isExpired()) {
                takeAlone(want);
            } else {
                answers.put(want.key(), Optional.of(new KeyHolder(found.uid(), found.lane())));
            }
        }
        insert(free);
    }

    private void insert(List<WantedKey> free) {
        if (free.size() == 1) {
            takeAlone(free.get(0));
        } else if (!free.isEmpty() && !insertAll(free)) {
            int middle = free.size() / 2;
            settle(free.subList(0, middle));
            settle(free.subList(middle, free.size()));
        }
    }

    private void takeAlone(WantedKey want) {
        answers.put(want.key(), new KeyTaking(mapper, want).take());
    }

    private Map<String, HeldKeyOf> look(List<WantedKey> wants) {
        List<String> keys = wants.stream().map(WantedKey::key).toList();
        return mapper.lookAtMany(wants.get(0).queue(), keys).stream()
                .collect(Collectors.toMap(HeldKeyOf::key, Function.identity()));
    }

    private boolean insertAll(List<WantedKey> free) {
        try {
            mapper.insertMany(free);
            return true;
        } catch (PersistenceException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return false;
        }
    }
}

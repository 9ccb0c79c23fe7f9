package io.acidq.mybatis.store;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.store.KeyMapper.HeldKey;
import io.acidq.store.DatabaseError;
import io.acidq.store.EnqueueStore.KeyHolder;
import java.sql.SQLException;
import java.util.Optional;
import org.apache.ibatis.exceptions.PersistenceException;

/**
 * Takes a message key in the caller's transaction. A plain look comes first, so that the common duplicate locks nothing; an expired key
 * is taken over by one UPDATE, not after a failed INSERT, whose shared lock would let two who want the key die of a deadlock.
 */
final class KeyTaking {

    /** A key can vanish (purged) between two statements; not that often. */
    private static final int TRIES = 5;

    private final KeyMapper mapper;
    private final WantedKey want;

    KeyTaking(KeyMapper mapper, WantedKey want) {
        this.mapper = mapper;
        this.want = want;
    }

    Optional<KeyHolder> take() {
        for (int i = 0; i < TRIES; i++) {
            HeldKey seen = mapper.look(want);
            if (seen == null) {
                if (insert()) {
                    return Optional.empty();
                }
            } else if (!seen.isExpired() || mapper.lives(want.queue(), seen.lane(), seen.uid()) > 0) {
                return holder(seen);
            } else if (mapper.takeOverIfExpired(want, seen.uid()) == 1) {
                return Optional.empty();
            }
            HeldKey newest = mapper.lookAtNewest(want);
            if (newest != null && (!newest.isExpired() || !newest.equals(mapper.look(want)))) {
                return holder(newest); // a snapshot older than the key can not tell whether its message lives: it does
            }
        }
        throw new TransientQueueException(
                "the key '" + want.key() + "' changed hands " + TRIES + " times while it was asked for",
                new SQLException("no winner"));
    }

    private boolean insert() {
        try {
            mapper.insert(want);
            return true;
        } catch (PersistenceException e) {
            if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                throw e;
            }
            return false;
        }
    }

    private static Optional<KeyHolder> holder(HeldKey held) {
        return Optional.of(new KeyHolder(held.uid(), held.lane()));
    }
}

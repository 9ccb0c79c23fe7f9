package io.acidq.mybatis.store;

import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over message keys. */
interface KeyMapper {

    @Nullable
    HeldKey findKey(KeyRow want);

    @Nullable
    HeldKey findNewestKey(@Param("want") KeyRow want);

    int insert(@Param("want") KeyRow want);

    int takeOverIfExpired(@Param("want") KeyRow want, @Param("holder") UUID holder);

    int release(KeyClaim key);

    int countLiving(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    List<HeldKeyByName> findKeys(@Param("queue") int queue, @Param("keys") List<String> keys);

    int insertMany(@Param("wants") List<KeyRow> wants);

    int insertOrLock(@Param("wants") List<KeyRow> wants);

    List<LockedKey> locked(@Param("queue") int queue, @Param("keys") List<String> keys);

    int write(@Param("keys") List<WrittenKey> keys);

    List<ScheduledRow> scheduled(@Param("uids") Collection<UUID> uids);

    @Nullable
    ScheduledRow lockScheduled(UUID uid);

    int replaceIfScheduled(@Param("place") ScheduledRow place, @Param("row") InsertRow row, @Param("due") Instant due);

    /** A key, and the message that holds it. */
    record HeldKeyByName(String key, UUID uid, int lane, int expired) {

        boolean isExpired() {
            return expired != 0;
        }
    }

    /** A key whose row this transaction has locked. */
    record LockedKey(
            String key,
            UUID uid,
            int lane,
            Instant takenAt,
            @Nullable Instant due,
            long scheduledId,
            int expired,
            Instant now) {

        KeyState state() {
            return new KeyState(key, new KeyHolder(uid, lane), takenAt, due, scheduledId, now);
        }
    }

    /** What a locked key is to say. */
    record WrittenKey(
            KeyRow want, Instant takenAt, @Nullable Instant due, long scheduledId) {}

    /** A message that waits for its due time; the size only helps the choice of the index. */
    record ScheduledRow(UUID uid, Instant due, long id, int size) {}

    /**
     * A key that some message holds.
     *
     * @param expired 1 when its window has ended
     */
    record HeldKey(UUID uid, int lane, int expired) {

        boolean isExpired() {
            return expired != 0;
        }

        KeyHolder holder() {
            return new KeyHolder(uid, lane);
        }
    }
}

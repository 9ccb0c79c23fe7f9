package io.acidq.mybatis.store;

import io.acidq.store.EnqueueStore.KeyClaim;
import java.time.Instant;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over message keys. */
interface KeyMapper {

    @Nullable
    HeldKey look(@Param("want") WantedKey want);

    @Nullable
    HeldKey lookAtNewest(@Param("want") WantedKey want);

    int insert(@Param("want") WantedKey want);

    int takeOverIfExpired(@Param("want") WantedKey want, @Param("holder") UUID holder);

    int release(KeyClaim key);

    int lives(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    /**
     * A key that a message wants.
     *
     * @param micros from now to the end of the window
     * @param endsAt the end of the window when the message is due at an instant
     */
    record WantedKey(
            int queue,
            String key,
            UUID uid,
            int lane,
            long micros,
            @Nullable Instant endsAt) {}

    /**
     * A key that a message holds.
     *
     * @param expired 1 when its window has ended
     */
    record HeldKey(UUID uid, int lane, int expired) {

        boolean isExpired() {
            return expired != 0;
        }
    }
}

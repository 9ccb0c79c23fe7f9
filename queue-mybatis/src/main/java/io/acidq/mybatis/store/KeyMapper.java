package io.acidq.mybatis.store;

import io.acidq.mybatis.store.EnqueueMapper.InsertRow;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on message keys. {@link io.acidq.mybatis.session.RawStatement} runs further ones of {@code Keys.xml}. */
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

    int withdrawIfScheduled(@Param("place") ScheduledRow place);

    int rescheduleIfScheduled(@Param("place") ScheduledRow place, @Param("due") Instant due);

    int releaseHeld(@Param("queue") int queue, @Param("key") String key, @Param("uid") UUID uid);

    int replaceIfScheduled(@Param("place") ScheduledRow place, @Param("row") InsertRow row, @Param("due") Instant due);

    /** A key with the message that holds it. */
    record HeldKeyByName(String key, UUID uid, int lane, int expired) {

        boolean isExpired() {
            return expired != 0;
        }
    }

    /** A key whose row the transaction has locked. */
    record LockedKey(
            String key,
            UUID uid,
            int lane,
            Instant keptUntil,
            Instant takenAt,
            @Nullable Instant due,
            long scheduledId,
            int expired,
            Instant now) {

        KeyState state() {
            return new KeyState(key, new KeyHolder(uid, lane), keptUntil, takenAt, due, scheduledId, now);
        }
    }

    /** The new content of a locked key. */
    record WrittenKey(
            KeyRow want, Instant takenAt, @Nullable Instant due, long scheduledId) {}

    /** A scheduled message. The query reads the size only so that the optimizer chooses the right index. */
    record ScheduledRow(UUID uid, Instant due, long id, int size) {}

    /**
     * The holder of a key.
     *
     * @param expired whether its window has ended, 1 or 0
     */
    record HeldKey(UUID uid, int lane, int expired) {

        boolean isExpired() {
            return expired != 0;
        }

        KeyHolder holder() {
            return new KeyHolder(uid, lane);
        }
    }

    /**
     * A message key as parameters of statements.
     *
     * @param due the due time of the message; null if it is due at once
     * @param end the end of the window
     */
    record KeyRow(
            int queue,
            String key,
            UUID uid,
            int lane,
            @Nullable DelayOrTime due,
            DelayOrTime end) {

        private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

        /**
         * A delay that the database adds to its clock, or an instant.
         *
         * @param micros the delay
         * @param at     the instant, or null
         */
        record DelayOrTime(long micros, @Nullable Instant at) {}

        static KeyRow of(KeyClaim claim) {
            Due due = claim.due();
            return new KeyRow(
                    claim.queue(),
                    claim.key(),
                    claim.uid(),
                    claim.lane(),
                    due.isNow() ? null : delayOrTime(due),
                    end(claim));
        }

        boolean isDueNow() {
            return due == null;
        }

        private static DelayOrTime delayOrTime(Due due) {
            Instant at = due.at();
            Duration delay = due.delay();
            return new DelayOrTime(
                    delay == null ? 0 : Microseconds.of(delay), at == null ? null : Microseconds.notBefore(at));
        }

        private static DelayOrTime end(KeyClaim claim) {
            Duration window = claim.window().length();
            if (!claim.window().fromDue()) {
                return new DelayOrTime(Microseconds.of(window), null);
            }
            Duration delay = claim.due().delay();
            Instant at = claim.due().at();
            Duration fromNow = delay == null ? window : window.plus(delay);
            return new DelayOrTime(
                    Microseconds.of(fromNow), at == null ? null : latest(Microseconds.notBefore(at), window));
        }

        private static Instant latest(Instant at, Duration window) {
            return Duration.between(at, LATEST).compareTo(window) < 0
                    ? LATEST
                    : Microseconds.notBefore(at.plus(window));
        }
    }
}

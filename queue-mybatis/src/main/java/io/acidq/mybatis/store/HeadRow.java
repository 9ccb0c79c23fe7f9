package io.acidq.mybatis.store;

import io.acidq.HeadDeath;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row at the head of a lane as it was before the claim.
 *
 * @param orderKey empty when there is none
 * @param kind     0 for a message, else a marker that holds the place of its ordering key
 * @param dueIn    microseconds until it is due, by the database's clock; not above 0 when it is
 * @param age      microseconds since it was first due or replayed, by the database's clock
 */
record HeadRow(
        long id,
        UUID uid,
        @Nullable String key,
        String orderKey,
        String type,
        String headers,
        byte @Nullable [] payload,
        int owner,
        int claimNo,
        int attempts,
        int deaths,
        int kind,
        Instant enqueuedAt,
        Instant dueAt,
        long dueIn,
        long age) {

    static final int MESSAGE = 0;
    static final int HOLD = 1;
    static final int REFILL = 2;
    static final int HOLD_AND_PARK = 3;

    /** What stays in the place of a message that dies. */
    static int holdMarker(HeadDeath policy) {
        return switch (policy) {
            case SKIP -> MESSAGE;
            case BLOCK -> HOLD;
            case PARK -> HOLD_AND_PARK;
        };
    }

    boolean isHold() {
        return kind == HOLD || kind == HOLD_AND_PARK;
    }

    boolean hasOrderKey() {
        return !orderKey.isEmpty();
    }

    boolean isFree() {
        return owner == 0 && kind == MESSAGE;
    }

    boolean isSuspect() {
        return deaths > 0;
    }

    /** The message as it is after the claim. */
    ClaimedMessage claimedBy(ClaimRequest by) {
        return new ClaimedMessage(
                new Claim(by.queue(), by.lane(), id, uid, by.owner(), claimNo + 1),
                by.batch(),
                uid,
                key,
                hasOrderKey() ? orderKey : null,
                type,
                headers,
                payload,
                attempts + 1,
                deaths,
                enqueuedAt,
                dueAt,
                Duration.of(age, ChronoUnit.MICROS));
    }
}

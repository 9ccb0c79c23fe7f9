package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that a node has claimed, with all that a run needs.
 *
 * @param claim      the hold
 * @param batch      the node's own running number of the claim transaction: work starts in order of (batch, id)
 * @param uid        the message's unique number
 * @param key        its message key
 * @param orderKey   its ordering key, or null
 * @param type       the logical name of the payload's type
 * @param headers    its headers, encoded
 * @param payload    its payload, or null when it is too large to travel with the claim: see {@link ClaimStore#payload}
 * @param attempts   its attempts, this one included
 * @param deaths     its deaths
 * @param enqueuedAt when it was enqueued, by the database's clock
 * @param dueAt      when it was due, by the database's clock
 * @param age        how long ago it was first due or replayed, at its claim by the database's clock
 */
public record ClaimedMessage(
        Claim claim,
        long batch,
        UUID uid,
        @Nullable String key,
        @Nullable String orderKey,
        String type,
        String headers,
        byte @Nullable [] payload,
        int attempts,
        int deaths,
        Instant enqueuedAt,
        Instant dueAt,
        Duration age) {

    /** Whether an earlier run of it ended with the death of the process: it then runs alone. */
    public boolean isSuspect() {
        return deaths > 0;
    }
}

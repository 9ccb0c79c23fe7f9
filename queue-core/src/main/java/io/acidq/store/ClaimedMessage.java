package io.acidq.store;

import io.acidq.MessageId;
import io.acidq.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that a node has claimed.
 *
 * @param claim      the claim
 * @param batch      the node's number of the claim transaction, or {@link #DIRECT_BATCH}: messages of one priority start in order of (batch, id)
 * @param uid        the message's unique number
 * @param key        its message key
 * @param orderingKey its ordering key, or null
 * @param type       the logical name of the payload's type
 * @param headers    its headers, encoded
 * @param payload    its payload, or null when it is still to be read, being too large to travel with the claim or claimed by its
 *                   enqueue: see {@link ClaimStore#content}
 * @param attempts   its attempts, this one included
 * @param crashes    its crashes
 * @param enqueuedAt when it was enqueued, by the database's clock; null when it is still to be read
 * @param dueAt      when it was due, by the database's clock; null when it is still to be read
 * @param age        how long ago it was first due or replayed, at its claim by the database's clock
 * @param timeLeft   until when it may be started; null when it does not expire
 * @param dueNanos   when it was due, by the monotonic clock of this process
 */
public record ClaimedMessage(
        Claim claim,
        long batch,
        UUID uid,
        @Nullable String key,
        @Nullable String orderingKey,
        String type,
        String headers,
        byte @Nullable [] payload,
        int attempts,
        int crashes,
        @Nullable Instant enqueuedAt,
        @Nullable Instant dueAt,
        Duration age,
        @Nullable TimeLeft timeLeft,
        long dueNanos) {

    /** The batch of a message that was claimed by its enqueue: it may start before all others. */
    public static final long DIRECT_BATCH = 0;

    /**
     * Returns the message that an enqueue has inserted as claimed. Its payload and its times are still to be read.
     *
     * @param nanoTime the monotonic clock of this process
     */
    public static ClaimedMessage ofEnqueue(Claim claim, EnqueueStore.MessageRow row, long nanoTime) {
        return new ClaimedMessage(
                claim,
                DIRECT_BATCH,
                row.uid(),
                row.key(),
                row.orderingKey(),
                row.type(),
                row.headers(),
                null,
                1,
                0,
                null,
                null,
                Duration.ZERO,
                null,
                nanoTime);
    }

    /**
     * Until when a claimed message may be started.
     *
     * @param expiresAt  its expiry, by the database's clock
     * @param atClaim    the time left at the claim, by the database's clock; not positive when it had expired
     * @param claimNanos the monotonic clock of this process just before the claim
     */
    public record TimeLeft(Instant expiresAt, Duration atClaim, long claimNanos) {

        /** Returns the time left; not positive when the message has expired. Never more than by the database's clock. */
        public Duration at(long nanoTime) {
            return atClaim.minusNanos(nanoTime - claimNanos);
        }
    }

    /** Returns the public id, for the name of the queue. */
    public MessageId id(String queue) {
        return new MessageId(queue, claim.lane(), uid);
    }

    /** Returns the priority of the message, by its lane. */
    public Priority priority() {
        return Priority.ofLane(claim.lane());
    }

    /** Returns whether an earlier run ended with a crash of its process; the message then runs alone. */
    public boolean isSuspect() {
        return crashes > 0;
    }

    /** Returns the message with the content that was not read at the claim. */
    public ClaimedMessage withContent(ClaimStore.Content content) {
        return new ClaimedMessage(
                claim,
                batch,
                uid,
                key,
                orderingKey,
                type,
                headers,
                content.payload(),
                attempts,
                crashes,
                content.enqueuedAt(),
                content.dueAt(),
                age,
                timeLeft,
                dueNanos);
    }
}

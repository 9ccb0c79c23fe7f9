package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statements of an enqueue. All methods run in the transaction on the calling thread. */
public interface EnqueueStore {

    /**
     * Takes a message key for a message. A key whose window has ended is taken over, but never while its message exists.
     *
     * @return empty when the key is now this message's, else the message that holds it. The transaction stays usable.
     */
    Optional<KeyHolder> takeKey(KeyClaim key);

    /** Takes several keys, all different and in ascending order, with few statements: see {@link #takeKey}. The results are in the same order. */
    List<Optional<KeyHolder>> takeKeys(List<KeyClaim> keys);

    /**
     * Locks keys for this transaction, all of one queue, all different and in ascending order. At the same time takes those keys that have no
     * holder, or whose window has ended and whose message no longer exists. Waits for transactions that have locked them.
     *
     * @return the newest state of each, in their order, whatever this transaction has read before
     */
    List<KeyState> lockKeys(List<KeyClaim> keys);

    /**
     * Replaces payload, type, headers, due time and expiry of the message that holds a locked key, if the message waits for its first due time.
     *
     * @param found   the key
     * @param content the new values; the due time must be an instant
     */
    boolean replaceIfScheduled(KeyState found, MessageRow content);

    /**
     * Locks a key for this transaction if it exists. A key that is not there locks nothing, at every isolation level.
     *
     * @return its newest state; empty when there is none in the snapshot of the transaction
     */
    Optional<KeyState> lockKey(int queue, String key);

    /**
     * Deletes the message that holds a locked key, and the key, if the message waits for its first due time.
     *
     * @param found the key, whose due time has not come
     */
    boolean withdrawIfScheduled(int queue, KeyState found);

    /**
     * Changes the due time of the message that holds a locked key, if the message waits for its first due time. Its expiry moves by the same time. The
     * caller then writes the key.
     *
     * @param found the key, whose due time has not come
     */
    boolean rescheduleIfScheduled(KeyState found, Instant due);

    /** Writes the holders of locked keys, after their messages were inserted or replaced. */
    void writeKeys(List<KeyWrite> keys);

    /** Releases a key that this transaction has taken for a message that it could not insert. */
    void releaseKey(KeyClaim key);

    /**
     * Inserts the messages of one or several queues in the order given: those due at once into {@code acidq_message}, the others among
     * the scheduled.
     */
    void insert(List<MessageRow> messages);

    /**
     * Inserts a message without ordering key that is due at once, already claimed by a node for its first attempt, so that no other node sees it
     * unclaimed. There is no claim transaction: the batch of the claim is 0, and the message is in a {@linkplain QueueStore#DIRECT_LANES direct
     * lane}.
     *
     * @return the claim, which holds when the transaction has committed
     */
    Claim insertClaimed(MessageRow message, int owner);

    /**
     * A message that wants a key.
     *
     * @param queue  the queue's number
     * @param key    the message key
     * @param uid    the message
     * @param lane   the message's lane
     * @param due    the message's due time
     * @param window how long an equal key is a duplicate
     */
    record KeyClaim(int queue, String key, UUID uid, int lane, Due due, Window window) {}

    /**
     * How long a key is taken; it stays taken longer if its message still exists.
     *
     * @param length  how long
     * @param fromDue whether it begins at the message's due time, else with its enqueue
     */
    record Window(Duration length, boolean fromDue) {}

    /**
     * The message that holds a key.
     *
     * @param uid  the message
     * @param lane its lane
     */
    record KeyHolder(UUID uid, int lane) {}

    /**
     * A key that this transaction has locked.
     *
     * @param key         the message key
     * @param holder      the message that holds it
     * @param keptUntil   the end of its window
     * @param takenAt     when that message was enqueued
     * @param due         its first due time; null when it was due at once
     * @param scheduledId its id in {@code acidq_scheduled}, 0 when not known
     * @param now         the time of the lock, by the database's clock
     */
    record KeyState(
            String key,
            KeyHolder holder,
            Instant keptUntil,
            Instant takenAt,
            @Nullable Instant due,
            long scheduledId,
            Instant now) {

        /** Returns a wanted due time as an instant, not before the time of the lock. */
        public Instant laterOf(Due wanted) {
            Instant at = wanted.at();
            Duration delay = wanted.delay();
            Instant next = at == null ? now.plus(delay == null ? Duration.ZERO : delay) : at;
            return next.isAfter(now) ? next : now;
        }
    }

    /**
     * The new state of a locked key.
     *
     * @param claim       the message that holds the key, with its due time as an instant or as {@link Due#NOW}
     * @param takenAt     when that message was enqueued
     * @param scheduledId its id in {@code acidq_scheduled}, as it was read; 0 when another message holds the key now
     */
    record KeyWrite(KeyClaim claim, Instant takenAt, long scheduledId) {}

    /**
     * A message to be inserted.
     *
     * @param queue    the queue's number
     * @param lane     its lane
     * @param uid      its unique number
     * @param key      its message key
     * @param orderingKey its ordering key, or null
     * @param type     the logical name of the payload's type
     * @param headers  its headers, encoded
     * @param payload  its payload, encoded
     * @param due      when it is due
     * @param expiry   until when it may be started
     */
    record MessageRow(
            int queue,
            int lane,
            UUID uid,
            @Nullable String key,
            @Nullable String orderingKey,
            String type,
            String headers,
            byte[] payload,
            Due due,
            Expiry expiry) {

        /** A message that does not expire. */
        public MessageRow(
                int queue,
                int lane,
                UUID uid,
                @Nullable String key,
                @Nullable String orderingKey,
                String type,
                String headers,
                byte[] payload,
                Due due) {
            this(queue, lane, uid, key, orderingKey, type, headers, payload, due, Expiry.NEVER);
        }
    }
}

package io.acidq.store;

import io.acidq.admin.MessageTable;
import io.acidq.admin.Operator;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table of subscriptions. */
public interface SubscriptionStore {

    /** How many places {@link #reservePlaces} reserves. */
    long RESERVED_PLACES = 1L << 32;

    /** The lowest bits count messages of one millisecond; the number of a queue is combined with the next 31 bits. */
    int RANDOM_BITS_BELOW = 30;

    /** Returns the subscriptions of a topic that are not drained, by their names, as the transaction on the calling thread sees them. A plain read. */
    List<Subscription> ofTopic(String topic);

    /** Returns the subscriptions of a topic, or of all topics for null, by topic and name. A plain read in a transaction of its own. */
    List<Subscription> list(@Nullable String topic);

    /**
     * Adds a subscription in a transaction of its own. The queue must exist.
     *
     * @param queue the number of its queue
     * @return whether it was added; false when it exists, whatever its filter
     */
    boolean addIfAbsent(String topic, String name, String filter, int queue);

    /** Changes the filter; false when it is unchanged, or when the subscription does not exist. */
    boolean changeFilter(String topic, String name, String filter);

    /**
     * Marks a subscription as draining, or removes it, and records who has done it, in one short transaction.
     *
     * @param queue the number of its queue
     * @return false when it does not exist, or is draining already
     */
    boolean unsubscribe(String topic, String name, int queue, Remaining remaining, Operator operator);

    /**
     * Reserves places in the lanes of a queue: everything that is inserted later, with a place of the database's own, comes after them.
     *
     * @return the first of {@link #RESERVED_PLACES}
     */
    long reservePlaces(int queue);

    /** Whether the archive has a message of a queue. */
    boolean hasArchive(int queue);

    /**
     * The messages of a subscription that another one of its topic has not, in no particular order. Two plain reads: what a publisher commits in between is in
     * neither or in both.
     *
     * @param source the number of the queue of the subscription that has them
     * @param target the number of the queue that has not
     * @param since  only those published since
     */
    List<SourceMessage> missing(int source, int target, Instant since);

    /**
     * Copies messages in one short transaction. Leaves out one that is not at its place any more, and one whose message key another message of the target
     * holds.
     *
     * @return how many were copied
     */
    int copy(int source, int target, List<Copy> copies);

    /**
     * The uid of the copy of a message in another queue of its topic. Every copy of a publish has the uid of the publish, in which some random bits are
     * combined with the number of the queue; so each copy tells what the others are.
     *
     * @param from the number of the queue that has the uid; 0 for the publish itself
     * @param to   the number of the queue of the copy
     */
    static UUID copyUid(UUID uid, int from, int to) {
        return new UUID(
                uid.getMostSignificantBits(),
                uid.getLeastSignificantBits() ^ ((long) (from ^ to) << RANDOM_BITS_BELOW));
    }

    /**
     * A message of a subscription.
     *
     * @param inTable its table
     * @param id     its place in the lane; 0 if it is not in a lane
     * @param holder the message of the other subscription that holds its message key, or null
     */
    record SourceMessage(
            MessageTable inTable,
            UUID uid,
            int lane,
            long id,
            @Nullable String key,
            String orderingKey,
            Instant enqueuedAt,
            String type,
            String headers,
            @Nullable UUID holder) {}

    /**
     * A copy of a message.
     *
     * @param uid  its uid
     * @param lane its lane
     * @param id   its place in the lane
     */
    record Copy(SourceMessage of, UUID uid, int lane, long id) {}

    /** Removes the draining subscriptions whose queues have no message that waits, is scheduled or runs. Returns how many. */
    int removeDrained();

    /**
     * Deletes messages of a queue that wait or are scheduled, in one short transaction. Their keys stay taken until their windows end.
     *
     * @return how many, 0 when there is none left
     */
    int discardWaiting(int queue, int limit);

    /** Deletes the refill markers whose parked messages are gone, in one short transaction for each lane. */
    void removeEmptyMarkers(int queue);
}

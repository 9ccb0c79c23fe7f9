package io.acidq.store;

import io.acidq.admin.BulkAction;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of subscriptions. */
public interface SubscriptionStore {

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
    boolean unsubscribe(String topic, String name, int queue, Remaining remaining, BulkAction action);

    /** Removes the draining subscriptions whose queues have no message that waits, is scheduled or runs. Returns how many. */
    int removeDrained();

    /**
     * Deletes messages of a queue that wait or are scheduled, in one short transaction. Their keys stay taken until their windows end.
     *
     * @return how many, 0 when there is none left
     */
    int discardWaiting(int queue, int limit);
}

package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The subscriptions of topics. A subscription is a queue that is bound to a topic: {@code order.placed/billing} is the subscription {@code billing} of the
 * topic {@code order.placed}. It is durable: it gets every message that is published after it was added, whether or not a listener runs, until
 * {@link #unsubscribe}. The start of an engine adds the subscriptions of its listeners. Thread-safe.
 *
 * <p>Each change is a short transaction of its own, independent of a transaction of the caller. A publish reads the subscriptions in its own transaction:
 * it sees those that were committed before its snapshot, which at REPEATABLE READ is that of the first read of the transaction. All methods throw {@link
 * TransientQueueException} when the database could not do it now.
 */
public interface Subscriptions {

    /**
     * Adds a subscription without filter.
     *
     * @return whether it was added; false when it exists already
     */
    default boolean subscribe(String topic, String name) {
        return subscribe(topic, name, "");
    }

    /**
     * Adds a subscription.
     *
     * @param filter which messages it gets, such as {@code type = 'OrderPlaced' and region in ('eu', 'us')}; empty for all
     * @return whether it was added; false when it exists already with this filter
     * @throws QueueMisuseException when a name or the filter is invalid, or when the subscription exists with another filter or is draining
     */
    boolean subscribe(String topic, String name, String filter);

    /**
     * Adds a subscription that starts with what was published before it was added: with copies of the messages of another subscription of the topic, its
     * source, which keeps done messages in its archive. Every message that was published since a given time and that the source still has is copied: done and
     * archived, waiting, scheduled, running, or dead letters. A message that is published while this method runs comes exactly once. For each ordering key the
     * copies are in the order in which they were published, and come before everything that is published later.
     *
     * <p>The queue of the subscription is paused until all is copied. A copy starts without attempts, keeps its message key as long as the source does, and is
     * due at once, unless its original is still waiting for its first due time. The filter decides about each. What the queue has already, also as a dead
     * letter or in its own archive, is not copied again. The list of what to copy is in memory, some 200 bytes for each message.
     *
     * <p>If the copying fails, the subscription exists, is incomplete, and stays paused. Then call {@link #unsubscribe} with {@link Remaining#DISCARD}, and
     * this method again. The messages of a transaction that took its snapshot before the subscription was added, and that commits after this method has
     * returned, are missing, as they are with {@link #subscribe(String, String, String)}.
     *
     * @param filter   as for {@link #subscribe(String, String, String)}
     * @param from     see {@link #fromArchive}
     * @param operator who does it, and why; both are recorded in the {@link AuditLog}, for the pause and its end
     * @return how many messages were copied
     * @throws QueueMisuseException when a name or the filter is invalid, when the subscription exists, when a listener serves its queue already, or when
     *     the source has no archive
     */
    long subscribe(String topic, String name, String filter, FromArchive from, Operator operator);

    /**
     * The start of a subscription: messages of another subscription of the topic.
     *
     * @param source the name of that subscription. Its queue must have an archive
     * @param since  messages that were published at this time or later, by the database's clock
     */
    static FromArchive fromArchive(String source, Instant since) {
        return new FromArchive(source, since);
    }

    /**
     * Changes the filter of a subscription. Messages that it has already stay.
     *
     * @param filter as for {@link #subscribe(String, String, String)}
     * @return whether it was changed; false when the subscription has this filter already
     * @throws QueueMisuseException when the subscription does not exist, or the filter is invalid
     */
    boolean changeFilter(String topic, String name, String filter);

    /**
     * Removes a subscription: it gets nothing that is published later. A transaction that published before may still add messages when it commits. A listener
     * that declares the subscription adds it again when its engine starts, so remove the listener first.
     *
     * @param remaining what happens to the messages that it has
     * @param operator  who does it, and why; both are recorded in the {@link AuditLog}
     * @return whether it was removed or, with {@link Remaining#DRAIN}, is drained from now on; false when it is removed already
     * @throws QueueMisuseException when there is no queue of this name, because the topic or the name is misspelled
     */
    boolean unsubscribe(String topic, String name, Remaining remaining, Operator operator);

    /** Returns the subscriptions of a topic by their names; reads the database. */
    List<Subscription> list(String topic);

    /** Returns the subscriptions of all topics by their names; reads the database. */
    List<Subscription> list();

    /** The choices of {@link #unsubscribe} for the messages that the subscription has. */
    enum Remaining {
        /** They stay, and listeners run them. */
        KEEP,
        /** They stay, and listeners run them. The subscription is listed as draining until it has no message that waits, is scheduled or runs. */
        DRAIN,
        /** Messages that wait or are scheduled are deleted, in steps. Those that run finish, dead letters and archived messages stay. */
        DISCARD
    }

    /**
     * The start of a subscription, see {@link #fromArchive}.
     *
     * @param source the name of another subscription of the topic
     * @param since  when the first message was published
     */
    record FromArchive(String source, Instant since) {

        public FromArchive {
            Objects.requireNonNull(source, "source");
            InputChecks.checkTime("start of a subscription", Objects.requireNonNull(since, "since"));
        }
    }

    /**
     * A subscription.
     *
     * @param topic    the name of the topic
     * @param name     its name, unique in the topic
     * @param filter   which messages it gets; empty for all
     * @param draining whether it gets no more messages, and is removed when it has none
     * @param since    when it was added, by the database's clock
     */
    record Subscription(String topic, String name, String filter, boolean draining, Instant since) {

        /** The name of its queue. */
        public String queue() {
            return InputChecks.subscriptionQueue(topic, name);
        }
    }
}

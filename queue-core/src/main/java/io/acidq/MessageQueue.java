package io.acidq;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Enqueues messages in the caller's transaction: a message exists if and only if that transaction commits. Thread-safe.
 *
 * <pre>{@code
 * transactions.execute(status -> {
 *     orders.insert(order);
 *     return queue.enqueue("orders", new OrderPlaced(order.id()), options().orderingKey(order.customer()));
 * });
 * }</pre>
 *
 * <p>Each method needs a read-write transaction of the queue's database on the calling thread and throws {@link QueueMisuseException} without
 * one. No method commits, rolls back or changes that transaction. All methods throw:
 *
 * <ul>
 *   <li>{@link MessageRejectedException} when a message is invalid; checked before any SQL.
 *   <li>{@link TransientQueueException} when the database could not do it now: roll back and run the whole transaction again.
 *   <li>{@link QueueMisuseException} when the name of the queue is invalid, or the code or the configuration must change.
 * </ul>
 */
public interface MessageQueue {

    /**
     * Enqueues one message that is due at once.
     *
     * @param queue   the name of the queue; the queue is created when it is new
     * @param payload what the handler gets, never null; encoded by the codec of the engine
     * @return the id of the message
     */
    default Enqueued enqueue(String queue, Object payload) {
        return enqueue(queue, payload, EnqueueOptions.options());
    }

    /**
     * Enqueues one message.
     *
     * @param queue   the name of the queue; the queue is created when it is new
     * @param payload what the handler gets; encoded by the codec of the engine
     * @param options keys, due time and headers
     * @return what was done: with a message key, no message may have been added
     * @throws KeyTakenException when the key is taken and the options say {@link OnDuplicate#reject()}
     */
    default Enqueued enqueue(String queue, Object payload, EnqueueOptions options) {
        return enqueueAll(queue, List.of(new NewMessage(payload, options))).get(0);
    }

    /**
     * Enqueues several messages with few statements.
     *
     * @param queue    the name of the queue; the queue is created when it is new
     * @param messages the messages; those with equal message keys are treated as if they were enqueued one after the other
     * @return one result for each message, in the same order
     * @throws KeyTakenException when a message with {@link OnDuplicate#reject()} has a key that is taken; no message was enqueued
     */
    List<Enqueued> enqueueAll(String queue, List<NewMessage> messages);

    /**
     * Publishes a message that is due at once to a topic.
     *
     * @param topic   the name of the topic
     * @param payload what the handlers get, never null; encoded by the codec of the engine
     */
    default Published publish(String topic, Object payload) {
        return publish(topic, payload, EnqueueOptions.options());
    }

    /**
     * Publishes a message to a topic: enqueues it for each subscription whose filter accepts it, for all of them or none. See {@link
     * io.acidq.admin.Subscriptions} for the subscriptions that a publish sees. A topic without subscriptions is legal; the message is then stored nowhere.
     *
     * @param topic   the name of the topic
     * @param payload what the handlers get; encoded by the codec of the engine
     * @param options keys, due time and headers; a message key is a key of each subscription
     * @return what was enqueued for each subscription
     * @throws KeyTakenException when the key is taken in one of the subscriptions and the options say {@link OnDuplicate#reject()}; nothing was enqueued
     */
    default Published publish(String topic, Object payload, EnqueueOptions options) {
        throw new QueueMisuseException(getClass().getName() + " cannot publish to topic '" + topic
                + "': implement publish, or use the queue of an engine");
    }

    /**
     * Withdraws the message that holds a message key, if it is not yet due and was never claimed. When the caller's transaction commits, the message is gone and
     * its key is free at once. Waits for a transaction that has locked the key or is moving the message.
     *
     * @param queue the name of the queue; of a subscription, {@code topic/subscription}
     * @param key   the message key
     * @return whether the message was withdrawn; the answer holds if the transaction commits
     */
    default WithdrawResult withdraw(String queue, String key) {
        throw new QueueMisuseException(getClass().getName() + " cannot withdraw from queue '" + queue
                + "': implement withdraw, or use the queue of an engine");
    }

    /**
     * Moves the message that holds a message key to another due time, if it is not yet due and was never claimed. Its deduplication window and its expiry move
     * with the due time. Waits as {@link #withdraw} does.
     *
     * @param queue the name of the queue; of a subscription, {@code topic/subscription}
     * @param key   the message key
     * @param delay how long it waits from now on, by the database's clock: 0 to 1000 years
     * @return whether the message was moved; the answer holds if the transaction commits
     */
    default RescheduleResult reschedule(String queue, String key, Duration delay) {
        throw new QueueMisuseException(getClass().getName() + " cannot reschedule a message of queue '" + queue
                + "': implement reschedule, or use the queue of an engine");
    }

    /**
     * Reschedules a message to an instant: see {@link #reschedule(String, String, Duration)}.
     *
     * @param at when the message is due, by the database's clock: 1970-01-01 to 9999-01-01 (UTC). An instant in the past means at once
     */
    default RescheduleResult reschedule(String queue, String key, Instant at) {
        throw new QueueMisuseException(getClass().getName() + " cannot reschedule a message of queue '" + queue
                + "': implement reschedule, or use the queue of an engine");
    }

    /** The result of {@link #withdraw}. */
    enum WithdrawResult {

        /** The message is gone when the transaction commits, and does not run. */
        WITHDRAWN,

        /** The message that holds the key is due, runs or has ended: nothing was changed. */
        TOO_LATE,

        /** No message holds the key. */
        UNKNOWN
    }

    /** The result of {@link #reschedule}. */
    enum RescheduleResult {

        /** The message has the new due time when the transaction commits. */
        RESCHEDULED,

        /** The message that holds the key is due, runs or has ended: nothing was changed. */
        TOO_LATE,

        /** No message holds the key. */
        UNKNOWN
    }
}

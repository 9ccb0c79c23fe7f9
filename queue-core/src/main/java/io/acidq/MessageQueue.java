package io.acidq;

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
}

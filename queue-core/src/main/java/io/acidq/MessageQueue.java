package io.acidq;

import java.util.List;

/**
 * Enqueues messages in the caller's transaction: a message exists if and only if that transaction commits. Thread-safe.
 *
 * <p>Every method needs a read-write transaction of the queue's database on the calling thread and throws
 * {@link QueueMisuseException} without one. It never commits, rolls back or changes the caller's transaction. Bad input
 * is refused with {@link MessageRejectedException} before any SQL; what the database could not do now comes as
 * {@link TransientQueueException}.
 */
public interface MessageQueue {

    /** Enqueues one message, due at once. */
    default Enqueued enqueue(String queue, Object payload) {
        return enqueue(queue, payload, EnqueueOptions.options());
    }

    /** Enqueues one message. */
    default Enqueued enqueue(String queue, Object payload, EnqueueOptions options) {
        return enqueueAll(queue, List.of(new NewMessage(payload, options))).get(0);
    }

    /**
     * Enqueues many messages with few statements.
     *
     * @return one result for each message, in the order given; several messages with one key meet each other as if they were enqueued
     *     one after the other
     * @throws KeyTakenException when a message was to be rejected for its key; none was enqueued
     */
    List<Enqueued> enqueueAll(String queue, List<NewMessage> messages);
}

package io.acidq.spring;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.InputChecks;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * Enqueues messages of one type in one queue. It is injected where {@link QueueName} is written, or created by {@link #of}.
 *
 * <pre>{@code
 * Orders(@QueueName("order.placed") QueueTemplate<Order> placed) { … }
 *
 * @Transactional
 * void place(Order order) {
 *     placed.enqueue(order, options().key("order-" + order.id()));
 * }
 * }</pre>
 *
 * <p>A template enqueues in the caller's transaction, as {@link MessageQueue} does: each call needs a read-write transaction of the queue's
 * database on the calling thread, and throws {@link io.acidq.QueueMisuseException} without one. The message exists if and only if that
 * transaction commits. A payload that is not of the template's type is refused with {@link MessageRejectedException}. A payload of a subtype
 * is stored under the name of its own class. Thread-safe.
 *
 * @param <T> the type of the payloads
 */
public interface QueueTemplate<T> {

    /**
     * Creates a template by hand, for example in a test.
     *
     * @param messages the queue API that enqueues the messages
     * @param queue    the name of the queue
     * @param type     the type of the payloads
     * @throws io.acidq.QueueMisuseException if the name is not a valid queue name
     */
    static <T> QueueTemplate<T> of(MessageQueue messages, String queue, Class<T> type) {
        String name = InputChecks.checkQueue(queue);
        return new QueueTemplate<>() {
            @Override
            public String queue() {
                return name;
            }

            @Override
            public Class<T> type() {
                return type;
            }

            @Override
            public List<Enqueued> enqueueAll(
                    Collection<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
                List<NewMessage> all = new ArrayList<>(payloads.size());
                for (T payload : payloads) {
                    if (!type.isInstance(payload)) {
                        throw new MessageRejectedException("this template of queue '" + name
                                + "' accepts payloads of type " + type.getName() + ", but the payload is "
                                + (payload == null
                                        ? "null"
                                        : "a " + payload.getClass().getName())
                                + ": use a template of that type");
                    }
                    all.add(new NewMessage(payload, options.apply(payload)));
                }
                return all.isEmpty() ? List.of() : messages.enqueueAll(name, all);
            }
        };
    }

    /** Returns the name of the queue. */
    String queue();

    /** Returns the type of the payloads. */
    Class<T> type();

    /** Enqueues one message that is due at once. */
    default Enqueued enqueue(T payload) {
        return enqueue(payload, EnqueueOptions.options());
    }

    /**
     * Enqueues one message.
     *
     * @param options the key, ordering key, delay and headers of the message
     * @return whether a message was added, and which message stands for this call
     * @throws io.acidq.QueueMisuseException if the calling thread has no read-write transaction of the queue's database
     * @throws MessageRejectedException      if the payload or the options are not acceptable
     */
    default Enqueued enqueue(T payload, EnqueueOptions options) {
        return enqueueAll(Collections.singletonList(payload), p -> options).get(0);
    }

    /** Enqueues many messages that are due at once, with few statements. */
    default List<Enqueued> enqueueAll(Collection<? extends T> payloads) {
        return enqueueAll(payloads, p -> EnqueueOptions.options());
    }

    /**
     * Enqueues many messages with few statements.
     *
     * @param options returns the options of each payload
     * @return one result per payload, in the same order
     * @throws io.acidq.QueueMisuseException if the calling thread has no read-write transaction of the queue's database
     * @throws MessageRejectedException      if a payload or its options are not acceptable; then no message of the call is enqueued
     */
    List<Enqueued> enqueueAll(Collection<? extends T> payloads, Function<? super T, EnqueueOptions> options);
}

package io.acidq.spring;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.QueueNames;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * One queue and the type of its messages, so that a publisher names neither. Injected where {@link QueueName} is written. Thread-safe.
 *
 * <p>It enqueues in the caller's transaction as {@link MessageQueue} does, with the same errors; it refuses what is not of its type with
 * {@link io.acidq.MessageRejectedException}. A payload of a subtype is stored under the name of its own class, as everywhere.
 *
 * @param <T> the type of the payloads
 */
public interface QueueTemplate<T> {

    /** A template by hand, where nothing is injected. */
    static <T> QueueTemplate<T> of(MessageQueue messages, String queue, Class<T> type) {
        return new BoundTemplate<>(QueueNames.check(queue), type, messages);
    }

    /** The queue. */
    String queue();

    /** The type of the payloads. */
    Class<T> type();

    /** Enqueues one message, due at once. */
    default Enqueued enqueue(T payload) {
        return enqueue(payload, EnqueueOptions.options());
    }

    /** Enqueues one message. */
    default Enqueued enqueue(T payload, EnqueueOptions options) {
        return enqueueAll(Collections.singletonList(payload), p -> options).get(0);
    }

    /** Enqueues many messages with few statements, each due at once. */
    default List<Enqueued> enqueueAll(Collection<? extends T> payloads) {
        return enqueueAll(payloads, p -> EnqueueOptions.options());
    }

    /**
     * Enqueues many messages with few statements.
     *
     * @param options how each is enqueued
     * @return one result for each payload, in their order
     */
    List<Enqueued> enqueueAll(Collection<? extends T> payloads, Function<? super T, EnqueueOptions> options);
}

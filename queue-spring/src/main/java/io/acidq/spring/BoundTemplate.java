package io.acidq.spring;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * A template over a message queue.
 *
 * @param messages enqueues them
 */
record BoundTemplate<T>(String queue, Class<T> type, MessageQueue messages) implements QueueTemplate<T> {

    @Override
    public List<Enqueued> enqueueAll(Collection<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        List<NewMessage> all = new ArrayList<>(payloads.size());
        for (T payload : payloads) {
            if (!type.isInstance(payload)) {
                throw new MessageRejectedException("the queue '" + queue + "' takes " + type.getName() + " here, was "
                        + (payload == null ? "null" : payload.getClass().getName()));
            }
            all.add(new NewMessage(payload, options.apply(payload)));
        }
        return all.isEmpty() ? List.of() : messages.enqueueAll(queue, all);
    }
}

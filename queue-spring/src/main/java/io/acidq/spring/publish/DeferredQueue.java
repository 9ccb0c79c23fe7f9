package io.acidq.spring.publish;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Published;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * A queue that is looked up at each call, because its engine may not be built yet when this object is injected. Not API.
 *
 * @param target returns the queue
 */
public record DeferredQueue(Supplier<MessageQueue> target) implements MessageQueue {

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        return target.get().enqueueAll(queue, messages);
    }

    @Override
    public WithdrawResult withdraw(String queue, String key) {
        return target.get().withdraw(queue, key);
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Duration delay) {
        return target.get().reschedule(queue, key, delay);
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Instant at) {
        return target.get().reschedule(queue, key, at);
    }

    @Override
    public Published publish(String topic, Object payload, EnqueueOptions options) {
        return target.get().publish(topic, payload, options);
    }
}

package io.acidq.engine.enqueue;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.config.EngineConfig.UnsubscribedAction;
import io.acidq.config.SubscriptionFilter;
import io.acidq.engine.enqueue.MessageEncoder.EncodedMessage;
import io.acidq.engine.enqueue.MessageKeys.PendingMessage;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.SubscriptionStore;
import io.acidq.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Routes the messages of topics: finds the subscriptions that accept a message, and makes the copies for them. Thread-safe. */
final class TopicRouter {

    private final SubscriptionStore store;
    private final QueueRegistry queues;
    private final MessageEncoder encoder;
    private final LaneAssignment lanes;
    private final UnsubscribedAction unsubscribed;
    private final Telemetry telemetry;

    /** The filters of subscriptions, by their texts. */
    private final Map<String, SubscriptionFilter> filters = new ConcurrentHashMap<>();

    TopicRouter(
            SubscriptionStore store,
            QueueRegistry queues,
            MessageEncoder encoder,
            LaneAssignment lanes,
            UnsubscribedAction unsubscribed,
            Telemetry telemetry) {
        this.store = store;
        this.queues = queues;
        this.encoder = encoder;
        this.lanes = lanes;
        this.unsubscribed = unsubscribed;
        this.telemetry = telemetry;
    }

    /**
     * Checks a message as a publish does, without the publish.
     *
     * @throws MessageRejectedException when the queue of a subscription that accepts it refuses it
     * @throws QueueMisuseException     when there is no subscription, and the engine is to refuse that
     */
    void check(String topic, EncodedMessage message, Class<?> payloadClass) {
        List<Subscription> subscriptions = store.ofTopic(topic);
        if (subscriptions.isEmpty()) {
            refuseIfWanted(topic);
        }
        accepting(subscriptions, message, payloadClass);
    }

    private void refuseIfWanted(String topic) {
        if (unsubscribed == UnsubscribedAction.FAIL) {
            throw new QueueMisuseException(
                    "topic '" + topic
                            + "' has no subscription that this transaction sees, so the message would be stored nowhere: correct the name, add a subscription"
                            + " (Subscriptions.subscribe, acidq topics subscribe, or the start of its listener), or set acidq.topics.unsubscribed=warn");
        }
    }

    /**
     * Returns the subscriptions of a topic whose filter accepts a message.
     *
     * @param payloadClass the class of the payload; null for one that was encoded earlier
     * @throws MessageRejectedException when the queue of one of them refuses the message
     * @throws QueueMisuseException     when there is none, and the engine is to refuse that
     */
    List<Subscription> accepting(String topic, EncodedMessage message, @Nullable Class<?> payloadClass) {
        List<Subscription> subscriptions = store.ofTopic(topic);
        if (subscriptions.isEmpty()) {
            refuseIfWanted(topic);
            telemetry.publishedUnsubscribed(topic);
        }
        return accepting(subscriptions, message, payloadClass);
    }

    private List<Subscription> accepting(
            List<Subscription> subscriptions, EncodedMessage message, @Nullable Class<?> payloadClass) {
        List<Subscription> accepting = new ArrayList<>(subscriptions.size());
        for (Subscription subscription : subscriptions) {
            if (filter(subscription)
                    .accepts(message.payload().type(), message.options().headers())) {
                encoder.checkReadable(subscription.queue(), message.payload(), payloadClass);
                queues.checkOrderingKey(subscription.queue(), MessageKeys.orderingKey(message.options()));
                queues.checkPriority(subscription.queue(), message.options());
                accepting.add(subscription);
            }
        }
        return accepting;
    }

    private SubscriptionFilter filter(Subscription subscription) {
        try {
            return filters.computeIfAbsent(subscription.filter(), SubscriptionFilter::parse);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException(
                    "subscription '" + subscription.name() + "' cannot be evaluated: " + e.getMessage()
                            + ". Correct it with Subscriptions.changeFilter",
                    e);
        }
    }

    /** Returns a copy of the message for each subscription, in their order. The uids of all copies follow from one. */
    List<PendingMessage> copies(List<Subscription> subscriptions, EncodedMessage message) {
        UUID publish = MessageEncoder.newUid(message.options().receiptOptions());
        List<PendingMessage> copies = new ArrayList<>(subscriptions.size());
        for (Subscription subscription : subscriptions) {
            QueueRow queue = queues.getOrCreate(subscription.queue());
            copies.add(message.toPendingMessage(
                    queue,
                    SubscriptionStore.copyUid(publish, 0, queue.id()),
                    0,
                    LaneAssignment.priorityLane(queues.priority(queue, message.options()), lanes.nextLane(queue, 1)),
                    encoder.times(subscription.queue())));
        }
        return copies;
    }
}

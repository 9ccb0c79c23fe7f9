package io.acidq.engine.admin;

import io.acidq.Limits;
import io.acidq.QueueMisuseException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.Subscriptions;
import io.acidq.config.Listener;
import io.acidq.config.SubscriptionFilter;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.store.SubscriptionStore;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds, changes, lists and removes subscriptions. The store runs each call in short transactions of its own. Thread-safe. */
public final class SubscriptionAdmin implements Subscriptions {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");
    private static final int MESSAGES_PER_STEP = 500;

    private final SubscriptionStore store;
    private final QueueRegistry queues;

    public SubscriptionAdmin(SubscriptionStore store, QueueRegistry queues) {
        this.store = store;
        this.queues = queues;
    }

    /**
     * Adds the subscriptions of listeners.
     *
     * @throws QueueMisuseException when one exists with another filter than its listener has
     */
    public void subscribeAll(Collection<Listener<?>> listeners) {
        for (Listener<?> listener : listeners) {
            if (Limits.isSubscriptionQueue(listener.queue())) {
                subscribe(listener);
            }
        }
    }

    private void subscribe(Listener<?> listener) {
        int slash = listener.queue().indexOf('/');
        String topic = listener.queue().substring(0, slash);
        String name = listener.queue().substring(slash + 1);
        String wanted = listener.filter();
        try {
            if (wanted != null) {
                subscribe(topic, name, wanted);
            } else if (find(topic, name).isEmpty()) {
                add(topic, name, SubscriptionFilter.ALL);
            }
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("listener of subscription '" + listener.queue() + "': " + e.getMessage(), e);
        }
        if (find(topic, name).filter(Subscription::draining).isPresent()) {
            log.warn(
                    "subscription {} has a listener and is draining: it gets no new messages. Remove the listener, or subscribe again when it is drained",
                    listener.queue());
        }
    }

    @Override
    public boolean subscribe(String topic, String name, String filter) {
        Limits.subscriptionQueue(topic, name);
        SubscriptionFilter wanted = SubscriptionFilter.parse(Objects.requireNonNull(filter, "filter"));
        if (add(topic, name, wanted)) {
            return true;
        }
        String existing = find(topic, name).map(Subscription::filter).orElse(wanted.toString());
        if (!existing.equals(wanted.toString())) {
            throw new QueueMisuseException("subscription '" + name + "' of topic '" + topic + "' exists with "
                    + describe(existing) + " and is wanted with " + describe(wanted.toString())
                    + ": use the same filter everywhere, or change it with Subscriptions.changeFilter");
        }
        return false;
    }

    private static String describe(String filter) {
        return filter.isEmpty() ? "no filter" : "the filter [" + filter + "]";
    }

    private boolean add(String topic, String name, SubscriptionFilter filter) {
        int queue = queues.getOrCreate(Limits.subscriptionQueue(topic, name)).id();
        return store.addIfAbsent(topic, name, filter.toString(), queue);
    }

    private Optional<Subscription> find(String topic, String name) {
        return store.list(topic).stream().filter(s -> s.name().equals(name)).findFirst();
    }

    @Override
    public boolean changeFilter(String topic, String name, String filter) {
        SubscriptionFilter wanted = SubscriptionFilter.parse(Objects.requireNonNull(filter, "filter"));
        if (store.changeFilter(Limits.checkTopic(topic), name, wanted.toString())) {
            return true;
        }
        if (find(topic, name).isEmpty()) {
            throw new QueueMisuseException("topic '" + topic + "' has no subscription '" + name + "' (it has: "
                    + String.join(
                            ", ", list(topic).stream().map(Subscription::name).toList())
                    + "): correct the name, or add it with subscribe");
        }
        return false;
    }

    @Override
    public boolean unsubscribe(String topic, String name, Remaining remaining, String who, String why) {
        BulkAction action = BulkAction.by(who, why);
        int id = queues.existing(Limits.subscriptionQueue(topic, name)).id();
        boolean removed = store.unsubscribe(topic, name, id, remaining, action);
        if (remaining == Remaining.DISCARD) {
            while (store.discardWaiting(id, MESSAGES_PER_STEP) > 0) {
                // the next step
            }
        }
        return removed;
    }

    @Override
    public List<Subscription> list(String topic) {
        return store.list(Limits.checkTopic(topic));
    }

    @Override
    public List<Subscription> list() {
        return store.list(null);
    }
}

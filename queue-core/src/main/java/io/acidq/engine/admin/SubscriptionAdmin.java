package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Operator;
import io.acidq.admin.Subscriptions;
import io.acidq.codec.Headers;
import io.acidq.config.Listener;
import io.acidq.config.SubscriptionFilter;
import io.acidq.engine.enqueue.LaneAssignment;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import io.acidq.store.SubscriptionStore;
import io.acidq.store.SubscriptionStore.Copy;
import io.acidq.store.SubscriptionStore.SourceMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds, changes, lists and removes subscriptions. The store runs each call in short transactions of its own. Thread-safe. */
public final class SubscriptionAdmin implements Subscriptions {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");
    private static final int MESSAGES_PER_STEP = 500;

    private static final int MAX_NODES = 1_000;

    /** The order of the publishes: time, then uids, which rise in each process. */
    private static final Comparator<SourceMessage> PUBLISHED_FIRST = Comparator.comparing(SourceMessage::enqueuedAt)
            .thenComparing(SourceMessage::uid, SubscriptionAdmin::compareUnsigned);

    private final SubscriptionStore store;
    private final QueueStore queueStates;
    private final InspectionStore inspection;
    private final ServerStore server;
    private final QueueRegistry queues;

    public SubscriptionAdmin(Store store, QueueRegistry queues) {
        this.store = store.subscriptions();
        this.queueStates = store.queues();
        this.inspection = store.inspection();
        this.server = store.server();
        this.queues = queues;
    }

    private static int compareUnsigned(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }

    /**
     * Adds the subscriptions of listeners. Reads the list of each topic once, unless one is new.
     *
     * @throws QueueMisuseException when one exists with another filter than its listener has
     */
    public void subscribeAll(Collection<Listener<?>> listeners) {
        listeners.stream()
                .filter(listener -> InputChecks.isSubscriptionQueue(listener.queue()))
                .collect(Collectors.groupingBy(SubscriptionAdmin::topic, TreeMap::new, Collectors.toList()))
                .forEach((topic, ofTopic) -> {
                    List<Subscription> known = store.list(topic);
                    ofTopic.forEach(listener -> subscribe(listener, known));
                });
    }

    private static String topic(Listener<?> listener) {
        return listener.queue().substring(0, listener.queue().indexOf('/'));
    }

    private void subscribe(Listener<?> listener, List<Subscription> known) {
        String topic = topic(listener);
        String name = listener.queue().substring(topic.length() + 1);
        String wanted = listener.filter();
        try {
            SubscriptionFilter filter = wanted == null ? SubscriptionFilter.ALL : SubscriptionFilter.parse(wanted);
            Optional<Subscription> existing = find(known, name);
            if (existing.isEmpty() && !add(topic, name, filter)) {
                existing = find(store.list(topic), name); // another node has added it in the meantime
            }
            if (wanted != null) {
                existing.ifPresent(subscription -> checkFilter(subscription, filter));
            }
            if (existing.filter(Subscription::draining).isPresent()) {
                log.warn(
                        "subscription {} has a listener and is draining: it gets no new messages. Remove the listener, or subscribe again when it is drained",
                        listener.queue());
            }
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("listener of subscription '" + listener.queue() + "': " + e.getMessage(), e);
        }
    }

    @Override
    public boolean subscribe(String topic, String name, String filter) {
        InputChecks.subscriptionQueue(topic, name);
        SubscriptionFilter wanted = SubscriptionFilter.parse(Objects.requireNonNull(filter, "filter"));
        if (add(topic, name, wanted)) {
            return true;
        }
        Optional<Subscription> existing = find(store.list(topic), name);
        existing.ifPresent(subscription -> checkFilter(subscription, wanted));
        refuse(
                existing.filter(Subscription::draining).isPresent(),
                "subscription '" + name + "' of topic '" + topic
                        + "' is draining, and gets no new messages: subscribe again when it is removed, or remove it now with"
                        + " unsubscribe and KEEP, then subscribe");
        return false;
    }

    private static void checkFilter(Subscription existing, SubscriptionFilter wanted) {
        if (!existing.filter().equals(wanted.toString())) {
            throw new QueueMisuseException("subscription '" + existing.name() + "' of topic '" + existing.topic()
                    + "' exists with " + describe(existing.filter()) + ", but is declared with "
                    + describe(wanted.toString())
                    + ": use one filter in all applications, or call Subscriptions.changeFilter");
        }
    }

    @Override
    public long subscribe(String topic, String name, String filter, FromArchive from, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        SubscriptionFilter wanted = SubscriptionFilter.parse(Objects.requireNonNull(filter, "filter"));
        String described = "subscription '" + name + "' of topic '" + topic + "'";
        QueueRow source = source(topic, name, from, described);
        Instant now = server.session().now();
        refuse(
                from.since().isAfter(now),
                described + " cannot start from messages published since " + from.since()
                        + ", which is in the future (the database's clock shows " + now
                        + "): give an earlier time, or leave out the archive");
        List<Subscription> known = store.list(topic);
        refuse(
                find(known, from.source()).isEmpty(),
                described + " cannot start from subscription '" + from.source()
                        + "', which does not exist (the topic has: " + names(known) + "): correct the name");
        refuse(
                find(known, name).isPresent(),
                described + " exists already: choose another name, or remove it first with unsubscribe and DISCARD");
        refuse(
                !store.hasArchive(source.id()),
                described + " cannot start from subscription '" + from.source()
                        + "', whose queue has no message in the archive: its engines must keep done messages"
                        + " (QueueConfig.withArchiveRetention, acidq.queues[" + source.name() + "].retention.archive)");
        QueueRow target = queues.getOrCreate(InputChecks.subscriptionQueue(topic, name));
        for (LivingNode node : inspection.livingNodes(MAX_NODES)) {
            refuse(
                    node.workers().containsKey(target.id()),
                    described + " cannot start from an archive while node " + node.node() + " (" + node.host()
                            + ") serves its queue: stop its listeners until this is done");
        }
        queueStates.pauseIfRunning(target.id(), operator);
        long place = store.reservePlaces(target.id());
        if (!add(topic, name, wanted)) {
            throw new QueueMisuseException(described + " was added by someone else at the same time, and its queue is"
                    + " paused: resume the queue, or remove the subscription first with unsubscribe and DISCARD");
        }
        long copied;
        try {
            copied = copyAll(source, target, from.since(), wanted, place);
        } catch (TransientQueueException e) {
            throw new TransientQueueException(
                    described + " is incomplete, and its queue is paused: remove it with unsubscribe and DISCARD, then"
                            + " try again: " + e.getMessage(),
                    e);
        }
        queueStates.resumeIfPaused(target.id(), operator);
        return copied;
    }

    private QueueRow source(String topic, String name, FromArchive from, String described) {
        InputChecks.subscriptionQueue(topic, name);
        refuse(from.source().equals(name), described + " cannot start from itself: name another source");
        return existing(topic, from.source());
    }

    /** Returns the queue of a subscription, which stays when the subscription is removed. */
    private QueueRow existing(String topic, String name) {
        return queueStates
                .findQueue(InputChecks.subscriptionQueue(topic, name))
                .orElseThrow(() -> unknown(topic, name, store.list(topic)));
    }

    private static QueueMisuseException unknown(String topic, String name, List<Subscription> known) {
        return new QueueMisuseException("topic '" + topic + "' has no subscription '" + name + "' ("
                + (known.isEmpty() ? "it has none" : "it has: " + names(known))
                + "): correct the name, or add it with subscribe");
    }

    /**
     * Copies until a round finds nothing: a message that moves to another table between the list and its copy is in the list of the next round, and keeps
     * the place that it got in the first one. All copies get places before those of later publishes.
     */
    private long copyAll(QueueRow source, QueueRow target, Instant since, SubscriptionFilter filter, long firstPlace) {
        Map<UUID, Long> places = new HashMap<>();
        long copied = 0;
        while (true) {
            List<SourceMessage> missing = store.missing(source.id(), target.id(), since).stream()
                    .filter(message -> filter.accepts(message.type(), Headers.decode(message.headers())))
                    .sorted(PUBLISHED_FIRST)
                    .toList();
            if (missing.isEmpty()) {
                return copied;
            }
            if (!missing.stream().allMatch(SubscriptionAdmin::isNormal)) {
                queueStates.openPriorityLanes(target);
            }
            for (int from = 0; from < missing.size(); from += MESSAGES_PER_STEP) {
                List<Copy> step = new ArrayList<>(MESSAGES_PER_STEP);
                for (SourceMessage message :
                        missing.subList(from, Math.min(missing.size(), from + MESSAGES_PER_STEP))) {
                    long next = firstPlace + places.size();
                    step.add(new Copy(
                            message,
                            SubscriptionStore.copyUid(message.uid(), source.id(), target.id()),
                            lane(message, target),
                            places.computeIfAbsent(message.uid(), uid -> next)));
                }
                copied += store.copy(source.id(), target.id(), step);
            }
        }
    }

    /** A copy has the priority of its original, whose lanes have the same numbers in every queue. */
    private static int lane(SourceMessage message, QueueRow target) {
        if (!message.orderingKey().isEmpty()) {
            return LaneAssignment.ofKey(target, message.orderingKey());
        }
        return isNormal(message) ? message.lane() % target.lanes() : message.lane();
    }

    private static boolean isNormal(SourceMessage message) {
        return Priority.ofLane(message.lane()) == Priority.NORMAL;
    }

    private static void refuse(boolean isWrong, String message) {
        if (isWrong) {
            throw new QueueMisuseException(message);
        }
    }

    private static String names(List<Subscription> subscriptions) {
        return String.join(", ", subscriptions.stream().map(Subscription::name).toList());
    }

    private static String describe(String filter) {
        return filter.isEmpty() ? "no filter" : "the filter [" + filter + "]";
    }

    private boolean add(String topic, String name, SubscriptionFilter filter) {
        int queue =
                queues.getOrCreate(InputChecks.subscriptionQueue(topic, name)).id();
        return store.addIfAbsent(topic, name, filter.toString(), queue);
    }

    private static Optional<Subscription> find(List<Subscription> subscriptions, String name) {
        return subscriptions.stream().filter(s -> s.name().equals(name)).findFirst();
    }

    @Override
    public boolean changeFilter(String topic, String name, String filter) {
        SubscriptionFilter wanted = SubscriptionFilter.parse(Objects.requireNonNull(filter, "filter"));
        if (store.changeFilter(InputChecks.checkTopic(topic), name, wanted.toString())) {
            return true;
        }
        List<Subscription> known = store.list(topic);
        if (find(known, name).isEmpty()) {
            throw unknown(topic, name, known);
        }
        return false;
    }

    @Override
    public boolean unsubscribe(String topic, String name, Remaining remaining, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        int id = existing(topic, name).id();
        boolean removed = store.unsubscribe(topic, name, id, remaining, operator);
        if (remaining == Remaining.DISCARD) {
            while (store.discardWaiting(id, MESSAGES_PER_STEP) > 0) {
                // the next step
            }
            store.removeEmptyMarkers(id);
        }
        return removed;
    }

    @Override
    public List<Subscription> list(String topic) {
        return store.list(InputChecks.checkTopic(topic));
    }

    @Override
    public List<Subscription> list() {
        return store.list(null);
    }
}

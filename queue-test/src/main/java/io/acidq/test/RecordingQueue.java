package io.acidq.test;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Published;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A {@link MessageQueue} for unit tests without a database, which records the enqueued messages. It applies the options of duplicate keys as if every
 * deduplication window were open and every delayed message were still waiting. It knows no settings of queues and no transactions, so a rollback removes
 * nothing; test that with a real database. Thread-safe.
 */
public final class RecordingQueue implements MessageQueue {

    /** The name of the one subscription that every topic has here. */
    public static final String SUBSCRIPTION = "recorded";

    private static final int NO_HOLDER = -1;

    private final List<Recorded> recorded = new ArrayList<>();
    private final Map<String, MessageId> keys = new HashMap<>();

    /**
     * A recorded message.
     *
     * @param id      its id
     * @param message its payload and options
     */
    public record Recorded(MessageId id, NewMessage message) {}

    @Override
    public synchronized List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        List<Recorded> before = List.copyOf(recorded);
        Map<String, MessageId> keysBefore = Map.copyOf(keys);
        try {
            return messages.stream().map(m -> record(queue, m)).toList();
        } catch (KeyTakenException e) {
            clear();
            recorded.addAll(before);
            keys.putAll(keysBefore);
            throw e;
        }
    }

    /** Records the message once, as a message of the topic, and returns it as that of a subscription with the name {@link #SUBSCRIPTION}. */
    @Override
    public Published publish(String topic, Object payload, EnqueueOptions options) {
        Enqueued enqueued =
                enqueueAll(topic, List.of(new NewMessage(payload, options))).get(0);
        return new Published(topic, Map.of(SUBSCRIPTION, enqueued));
    }

    @Override
    public synchronized WithdrawResult withdraw(String queue, String key) {
        int found = indexOf(queue, key);
        if (found == NO_HOLDER) {
            return WithdrawResult.UNKNOWN;
        }
        if (!isDelayed(recorded.get(found).message().options())) {
            return WithdrawResult.TOO_LATE;
        }
        recorded.remove(found);
        keys.remove(queue + '\n' + key);
        return WithdrawResult.WITHDRAWN;
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Duration delay) {
        return reschedule(queue, key, EnqueueOptions.options().delay(delay));
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Instant at) {
        return reschedule(queue, key, EnqueueOptions.options().at(at));
    }

    private synchronized RescheduleResult reschedule(String queue, String key, EnqueueOptions due) {
        int found = indexOf(queue, key);
        if (found == NO_HOLDER) {
            return RescheduleResult.UNKNOWN;
        }
        Recorded held = recorded.get(found);
        EnqueueOptions old = held.message().options();
        if (!isDelayed(old)) {
            return RescheduleResult.TOO_LATE;
        }
        EnqueueOptions moved = new EnqueueOptions(
                old.key(),
                old.orderingKey(),
                due.delay(),
                due.at(),
                old.headers(),
                old.onDuplicate(),
                old.priority(),
                old.expiresAfter(),
                old.expiresAt(),
                old.receiptOptions());
        recorded.set(
                found, new Recorded(held.id(), new NewMessage(held.message().payload(), moved)));
        return RescheduleResult.RESCHEDULED;
    }

    private int indexOf(String queue, String key) {
        MessageId holder = keys.get(queue + '\n' + key);
        for (int i = 0; i < recorded.size(); i++) {
            if (recorded.get(i).id().equals(holder)) {
                return i;
            }
        }
        return NO_HOLDER;
    }

    private Enqueued record(String queue, NewMessage message) {
        String key = message.options().key();
        MessageId holder = key == null ? null : keys.get(queue + '\n' + key);
        if (holder == null) {
            return add(queue, message, Enqueued.Result.ENQUEUED);
        }
        OnDuplicate chosen = message.options().onDuplicate();
        return switch (chosen == null ? OnDuplicate.Action.IGNORE : chosen.action()) {
            case IGNORE -> new Enqueued(holder, Enqueued.Result.DUPLICATE);
            case THROTTLE -> new Enqueued(holder, Enqueued.Result.THROTTLED);
            case REJECT -> throw new KeyTakenException(String.valueOf(key), holder);
            case REPLACE -> replace(holder, message, Enqueued.Result.REPLACED);
            case DEBOUNCE -> replace(holder, message, Enqueued.Result.DEBOUNCED);
        };
    }

    private Enqueued replace(MessageId holder, NewMessage message, Enqueued.Result result) {
        for (int i = 0; i < recorded.size(); i++) {
            Recorded held = recorded.get(i);
            if (held.id().equals(holder) && isDelayed(held.message().options())) {
                recorded.set(i, new Recorded(holder, message));
                return new Enqueued(holder, result);
            }
        }
        return add(holder.queue(), message, Enqueued.Result.SUCCESSOR);
    }

    private Enqueued add(String queue, NewMessage message, Enqueued.Result result) {
        MessageId id = new MessageId(queue, 0, UUID.randomUUID());
        recorded.add(new Recorded(id, message));
        if (message.options().key() != null) {
            keys.put(queue + '\n' + message.options().key(), id);
        }
        return new Enqueued(id, result);
    }

    private static boolean isDelayed(EnqueueOptions options) {
        return options.delay() != null || options.at() != null;
    }

    /** Returns the messages of a queue in the order of enqueuing, without duplicates. */
    public synchronized List<Recorded> in(String queue) {
        return recorded.stream().filter(r -> r.id().queue().equals(queue)).toList();
    }

    /** Removes all recorded messages and keys. */
    public synchronized void clear() {
        recorded.clear();
        keys.clear();
    }
}

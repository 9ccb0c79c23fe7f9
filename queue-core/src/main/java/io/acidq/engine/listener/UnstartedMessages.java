package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.store.ClaimedMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages that have not started, by priority and in order of (batch, id). A message may start if it has no ordering key, or is the first of a key of
 * which no message runs. Not thread-safe: guarded by the lock of the buffer.
 */
final class UnstartedMessages {

    private static final Priority[] PRIORITIES = Priority.values();

    private static final Comparator<ClaimedMessage> ORDER = Comparator.comparingLong(ClaimedMessage::batch)
            .thenComparingLong(m -> m.claim().id());

    private final TreeSet<ClaimedMessage> all = new TreeSet<>(ORDER);
    private final Map<Priority, NavigableSet<ClaimedMessage>> startable = new EnumMap<>(Priority.class);
    private final PriorityTurns turns = new PriorityTurns();
    private final Map<String, TreeSet<ClaimedMessage>> byKey = new HashMap<>();
    private final Set<String> runningKeys = new HashSet<>();
    private int suspects;

    UnstartedMessages() {
        for (Priority priority : PRIORITIES) {
            startable.put(priority, new TreeSet<>(ORDER));
        }
    }

    private NavigableSet<ClaimedMessage> startableOf(Priority priority) {
        return Objects.requireNonNull(startable.get(priority));
    }

    void add(ClaimedMessage message) {
        if (all.add(message) && message.isSuspect()) {
            suspects++;
        }
        String key = message.orderingKey();
        if (key == null) {
            startableOf(message.priority()).add(message);
        } else {
            byKey.computeIfAbsent(key, k -> new TreeSet<>(ORDER)).add(message);
            updateFirst(key);
        }
    }

    /** Returns the next message to start; null when none may. */
    @Nullable
    ClaimedMessage first() {
        Priority next = turns.next(priority -> !startableOf(priority).isEmpty());
        return next == null ? null : startableOf(next).first();
    }

    /** Removes a message that starts. Its ordering key runs until {@link #finished}. */
    void start(ClaimedMessage message) {
        turns.take(message.priority());
        if (message.orderingKey() != null) {
            runningKeys.add(message.orderingKey());
        }
        remove(message);
    }

    /**
     * Starts the selected ones of the messages that may start, and with each the selected ones that follow it without a gap in its ordering key. They take no turn
     * of their priority.
     */
    List<ClaimedMessage> startAll(Predicate<ClaimedMessage> which, int limit) {
        List<ClaimedMessage> started = new ArrayList<>();
        for (Priority priority : PRIORITIES) {
            List<ClaimedMessage> heads =
                    startableOf(priority).stream().filter(which).limit(limit).toList();
            for (ClaimedMessage head : heads) {
                ClaimedMessage next = head;
                while (next != null && started.size() < limit) {
                    started.add(next);
                    next = startAndFollow(next, which);
                }
            }
        }
        return started;
    }

    /** Returns the next message of the ordering key, if it is selected. */
    private @Nullable ClaimedMessage startAndFollow(ClaimedMessage message, Predicate<ClaimedMessage> which) {
        String key = message.orderingKey();
        if (key != null) {
            runningKeys.add(key);
        }
        remove(message);
        TreeSet<ClaimedMessage> rest = key == null ? null : byKey.get(key);
        return rest == null || !which.test(rest.first()) ? null : rest.first();
    }

    void finished(ClaimedMessage message) {
        String key = message.orderingKey();
        if (key != null) {
            runningKeys.remove(key);
            updateFirst(key);
        }
    }

    private void remove(ClaimedMessage message) {
        if (all.remove(message) && message.isSuspect()) {
            suspects--;
        }
        startableOf(message.priority()).remove(message);
        String key = message.orderingKey();
        if (key != null && byKey.containsKey(key)) {
            byKey.get(key).remove(message);
            updateFirst(key);
        }
    }

    /** Makes the first message of a key startable, and none while the key runs. */
    private void updateFirst(String key) {
        TreeSet<ClaimedMessage> ofKey = byKey.get(key);
        if (ofKey == null) {
            return;
        }
        if (ofKey.isEmpty()) {
            byKey.remove(key);
            return;
        }
        NavigableSet<ClaimedMessage> normal = startableOf(Priority.NORMAL); // messages with an ordering key are NORMAL
        ofKey.stream().limit(2).forEach(normal::remove); // the first message, and the one that was first before
        if (!runningKeys.contains(key)) {
            normal.add(ofKey.first());
        }
    }

    List<ClaimedMessage> removeIf(Predicate<ClaimedMessage> which) {
        return removeAll(all.stream().filter(which).toList());
    }

    List<ClaimedMessage> removeKey(String orderingKey) {
        TreeSet<ClaimedMessage> ofKey = byKey.get(orderingKey);
        return ofKey == null ? List.of() : removeAll(new ArrayList<>(ofKey));
    }

    private List<ClaimedMessage> removeAll(List<ClaimedMessage> which) {
        which.forEach(this::remove);
        return which;
    }

    boolean holdsKey(String orderingKey) {
        return runningKeys.contains(orderingKey) || byKey.containsKey(orderingKey);
    }

    boolean holdsSuspect() {
        return suspects > 0;
    }

    Stream<ClaimedMessage> stream() {
        return all.stream();
    }

    int size() {
        return all.size();
    }

    /** Messages that wait for their ordering key are NORMAL. */
    int size(Priority priority) {
        int startableOnes = startableOf(priority).size();
        return priority == Priority.NORMAL ? all.size() - startable() + startableOnes : startableOnes;
    }

    /** Returns how many messages could start at once with enough workers. */
    int startable() {
        return startableFrom(Priority.LOW);
    }

    /** Returns how many messages of this or a higher priority could start at once with enough workers. */
    int startableFrom(Priority lowest) {
        int count = 0;
        for (Priority priority : PRIORITIES) {
            if (priority.compareTo(lowest) <= 0) {
                count += startableOf(priority).size();
            }
        }
        return count;
    }

    /** Returns the part of the starts that a priority gets while the priorities that wait now have messages. */
    double shareOfStarts(Priority of) {
        int weights = 0;
        for (Priority priority : PRIORITIES) {
            weights += priority == of || size(priority) > 0 ? priority.weight() : 0;
        }
        return (double) of.weight() / weights;
    }
}

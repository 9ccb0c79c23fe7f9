package io.acidq.engine.work;

import io.acidq.store.ClaimedMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Claimed messages that have not started, in order of (batch, id), and among them those that may start now: without an ordering
 * key, or the first of a key that does not run. Not thread-safe.
 */
final class Unstarted {

    private static final Comparator<ClaimedMessage> ORDER = Comparator.comparingLong(ClaimedMessage::batch)
            .thenComparingLong(m -> m.claim().id());

    private final TreeSet<ClaimedMessage> all = new TreeSet<>(ORDER);
    private final TreeSet<ClaimedMessage> startable = new TreeSet<>(ORDER);
    private final Map<String, TreeSet<ClaimedMessage>> byKey = new HashMap<>();
    private final Set<String> running = new HashSet<>();
    private int suspects;

    void add(ClaimedMessage message) {
        if (all.add(message) && message.isSuspect()) {
            suspects++;
        }
        String key = message.orderKey();
        if (key == null) {
            startable.add(message);
        } else {
            byKey.computeIfAbsent(key, k -> new TreeSet<>(ORDER)).add(message);
            showFirst(key);
        }
    }

    /** The next one to start; null when none may. */
    @Nullable
    ClaimedMessage first() {
        return startable.isEmpty() ? null : startable.first();
    }

    /** It starts: its ordering key runs until {@link #ended}. */
    void start(ClaimedMessage message) {
        if (message.orderKey() != null) {
            running.add(message.orderKey());
        }
        remove(message);
    }

    void ended(ClaimedMessage message) {
        String key = message.orderKey();
        if (key != null) {
            running.remove(key);
            showFirst(key);
        }
    }

    private void remove(ClaimedMessage message) {
        if (all.remove(message) && message.isSuspect()) {
            suspects--;
        }
        startable.remove(message);
        String key = message.orderKey();
        if (key != null && byKey.containsKey(key)) {
            byKey.get(key).remove(message);
            showFirst(key);
        }
    }

    /** Exactly the first of the key may start, and none while the key runs. */
    private void showFirst(String key) {
        TreeSet<ClaimedMessage> ofKey = byKey.get(key);
        if (ofKey == null) {
            return;
        }
        if (ofKey.isEmpty()) {
            byKey.remove(key);
            return;
        }
        ofKey.stream().limit(2).forEach(startable::remove); // the first, and the one that was it before
        if (!running.contains(key)) {
            startable.add(ofKey.first());
        }
    }

    /** Takes out those that match. */
    List<ClaimedMessage> removeIf(Predicate<ClaimedMessage> which) {
        return removeAll(all.stream().filter(which).toList());
    }

    /** Takes out those of an ordering key. */
    List<ClaimedMessage> removeKey(String orderKey) {
        TreeSet<ClaimedMessage> ofKey = byKey.get(orderKey);
        return ofKey == null ? List.of() : removeAll(new ArrayList<>(ofKey));
    }

    private List<ClaimedMessage> removeAll(List<ClaimedMessage> which) {
        which.forEach(this::remove);
        return which;
    }

    boolean holdsKey(String orderKey) {
        return running.contains(orderKey) || byKey.containsKey(orderKey);
    }

    boolean holdsSuspect() {
        return suspects > 0;
    }

    Iterable<ClaimedMessage> all() {
        return all;
    }

    int size() {
        return all.size();
    }

    /** How many could start at once if there were workers enough. */
    int startable() {
        return startable.size();
    }
}

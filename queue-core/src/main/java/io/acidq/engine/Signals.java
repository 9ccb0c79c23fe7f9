package io.acidq.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The hints of every queue that this engine listens to. */
final class Signals {

    private final Map<Integer, Hints> byQueue = new ConcurrentHashMap<>();
    private volatile Runnable scheduled = () -> {};

    Hints of(int queue) {
        return byQueue.computeIfAbsent(queue, q -> new Hints());
    }

    /** There may be work in these lanes of the queue, if somebody listens here. */
    void work(int queue, Collection<Integer> lanes) {
        Hints hints = byQueue.get(queue);
        if (hints != null) {
            hints.lanes(lanes);
        }
    }

    /** The queues whose pollers would claim if they knew where. */
    List<Integer> hungry() {
        return byQueue.entrySet().stream()
                .filter(e -> e.getValue().isHungry())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** These lanes of a queue hold rows. */
    void found(int queue, Collection<Integer> lanes) {
        of(queue).found(lanes);
    }

    /** A message was scheduled here: the mover may have to wake sooner. */
    void scheduled() {
        scheduled.run();
    }

    void onScheduled(Runnable wake) {
        scheduled = wake;
    }

    /** There may be work in every lane of every queue. */
    void everywhere() {
        byQueue.values().forEach(Hints::everyLane);
    }
}

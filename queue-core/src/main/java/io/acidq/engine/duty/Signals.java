package io.acidq.engine.duty;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The hints of every queue that this engine listens to. */
public final class Signals {

    private final Map<Integer, Hints> byQueue = new ConcurrentHashMap<>();
    private volatile Runnable scheduled = () -> {};
    private volatile Runnable hunger = () -> {};

    public Hints of(int queue) {
        return byQueue.computeIfAbsent(queue, q -> new Hints(() -> hunger.run()));
    }

    /** There may be work in these lanes of the queue, if somebody listens here. */
    public void work(int queue, Collection<Integer> lanes) {
        Hints hints = byQueue.get(queue);
        if (hints != null) {
            hints.lanes(lanes);
        }
    }

    /** The queues whose pollers would claim if they knew where. */
    public List<Integer> hungry() {
        return byQueue.entrySet().stream()
                .filter(e -> e.getValue().isHungry())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How many claims have brought something so far, by queue. */
    public Map<Integer, Long> claims() {
        return byQueue.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().claims()));
    }

    /** Called when one more poller would claim if it knew where. */
    public void onHunger(Runnable wake) {
        hunger = wake;
    }

    /** These lanes of a queue hold rows. */
    public void found(int queue, Collection<Integer> lanes) {
        of(queue).found(lanes);
    }

    /** Whether this queue may be claimed from has changed, if somebody listens here. */
    public void changed(int queue) {
        Hints hints = byQueue.get(queue);
        if (hints != null) {
            hints.everyLane();
        }
    }

    /** A message was scheduled here: the mover may have to wake sooner. */
    public void scheduled() {
        scheduled.run();
    }

    public void onScheduled(Runnable wake) {
        scheduled = wake;
    }

    /** There may be work in every lane of every queue. */
    public void everywhere() {
        byQueue.values().forEach(Hints::everyLane);
    }
}

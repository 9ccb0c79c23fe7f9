package io.acidq.engine.loop;

import io.acidq.Priority;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The wake-ups of an engine's pollers and of those tasks that depend on them. Each wake-up is a hint: losing all of them costs latency, nothing
 * else. Thread-safe.
 */
public final class WakeUps {

    private final Map<Integer, PollerSignal> byQueue = new ConcurrentHashMap<>();
    private volatile Runnable onScheduled = () -> {};
    private volatile Runnable onIdle = () -> {};

    /** The signal of the poller of this queue. */
    public PollerSignal pollerSignal(int queue) {
        return byQueue.computeIfAbsent(queue, q -> new PollerSignal(() -> onIdle.run()));
    }

    /** Wakes the poller of the queue, because there may be work in these lanes. Does nothing when the engine has no poller for the queue. */
    public void wake(int queue, Collection<Integer> lanes) {
        PollerSignal signal = byQueue.get(queue);
        if (signal != null) {
            signal.wake(lanes);
        }
    }

    /**
     * Wakes the poller of the queue, because there may be work in every lane, or the queue was paused or resumed. Does nothing when the engine has no
     * poller for the queue.
     */
    public void wakeAllLanes(int queue) {
        PollerSignal signal = byQueue.get(queue);
        if (signal != null) {
            signal.wakeAllLanes();
        }
    }

    /** Wakes all pollers, because there may be work in every lane of every queue. */
    public void wakeAllLanes() {
        byQueue.values().forEach(PollerSignal::wakeAllLanes);
    }

    /** Wakes the poller of the queue, because a search has found rows in these lanes. */
    public void found(int queue, Collection<Integer> lanes) {
        pollerSignal(queue).found(lanes);
    }

    /** Returns the queues whose pollers wait for a lane with work. */
    List<Integer> idleQueues() {
        return byQueue.entrySet().stream()
                .filter(e -> e.getValue().isIdle())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns how many claims have returned messages so far, by queue. */
    Map<Integer, Long> claimCounts() {
        return byQueue.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().claimCount()));
    }

    /** Sets what runs when a poller becomes idle. */
    public void onIdle(Runnable action) {
        onIdle = action;
    }

    /** Wakes the due-message mover, because a message was scheduled in this process. It may be due before the one that the mover waits for. */
    public void messageScheduled() {
        onScheduled.run();
    }

    /** Sets what runs when a message is scheduled in this process. */
    public void onScheduled(Runnable action) {
        onScheduled = action;
    }

    /** The signal for which a loop waits between two runs. Thread-safe. */
    public static class Signal {

        final ReentrantLock lock = new ReentrantLock();
        private final Condition woken = lock.newCondition();
        private boolean wakeUpPending;

        /** Ends the current wait, or the next one if the loop does not wait. */
        public final void wake() {
            lock.lock();
            try {
                wakeUpPending = true;
                woken.signal();
            } finally {
                lock.unlock();
            }
        }

        /** Waits until {@link #wake} is called, at most this long. Returns at once if it was called since the last wait ended. */
        final void await(Duration atMost) throws InterruptedException {
            lock.lock();
            try {
                long left = atMost.toNanos();
                while (!wakeUpPending && left > 0) {
                    left = woken.awaitNanos(left);
                }
                wakeUpPending = false;
            } finally {
                lock.unlock();
            }
        }
    }

    /** The signal of the poller of one queue. It also holds the lanes of the wake-ups, and whether the poller can use them. */
    public static final class PollerSignal extends Signal {

        private final Runnable onIdle;
        private final Set<Integer> notified = new LinkedHashSet<>();
        private final Set<Integer> withFreedKey = new HashSet<>();
        private final Set<Integer> found = new HashSet<>();
        private volatile boolean idle;
        private volatile Set<Priority> waitsForCapacity = Set.of();
        private volatile long claimCount;
        private boolean allLanes;

        PollerSignal(Runnable onIdle) {
            this.onIdle = onIdle;
        }

        /** Wakes the poller, because there may be work in these lanes. */
        public void wake(Collection<Integer> lanes) {
            addAndWake(notified, lanes);
        }

        /** Wakes the poller, because an ordering key of this lane has become free. The poller uses this for lanes in which a claim left rows. */
        public void keyFreed(int lane) {
            addAndWake(withFreedKey, List.of(lane));
        }

        /** Wakes the poller, because a search has found rows in these lanes. The poller ignores lanes that wait. */
        void found(Collection<Integer> lanes) {
            addAndWake(found, lanes);
        }

        private void addAndWake(Set<Integer> target, Collection<Integer> lanes) {
            lock.lock();
            try {
                target.addAll(lanes);
                wake();
            } finally {
                lock.unlock();
            }
        }

        /** Wakes the poller, because there may be work in every lane, also in lanes in which the last claim found none. */
        public void wakeAllLanes() {
            lock.lock();
            try {
                allLanes = true;
                wake();
            } finally {
                lock.unlock();
            }
        }

        /** Returns the priorities for whose messages the poller waits until the buffer has capacity; none while it does not wait. */
        public Set<Priority> waitsForCapacity() {
            return waitsForCapacity;
        }

        /**
         * Sets the priorities for whose messages the poller waits until the buffer has capacity. The poller calls this before it asks the buffer, so that it
         * misses no freed capacity.
         */
        public void setWaitsForCapacity(Set<Priority> value) {
            waitsForCapacity = value;
        }

        /** Sets whether the poller waits for a lane with work. */
        public void setIdle(boolean value) {
            boolean becomesIdle = value && !idle;
            idle = value;
            if (becomesIdle) {
                onIdle.run();
            }
        }

        boolean isIdle() {
            return idle;
        }

        /** Counts a claim that returned messages. Only the poller calls this. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
        public void countClaim() {
            claimCount++;
        }

        long claimCount() {
            return claimCount;
        }

        /** Returns whether {@link #wakeAllLanes} was called since the last call. */
        public boolean takeAllLanes() {
            lock.lock();
            try {
                boolean taken = allLanes;
                allLanes = false;
                return taken;
            } finally {
                lock.unlock();
            }
        }

        /** Returns the lanes of {@link #wake(Collection)} since the last call, the earliest first. */
        public Set<Integer> takeNotified() {
            return take(notified);
        }

        /** Returns the lanes of {@link #keyFreed} since the last call. */
        public Set<Integer> takeWithFreedKey() {
            return take(withFreedKey);
        }

        /** Returns the lanes that searches have found since the last call. */
        public Set<Integer> takeFound() {
            return take(found);
        }

        private Set<Integer> take(Set<Integer> source) {
            lock.lock();
            try {
                Set<Integer> taken = new LinkedHashSet<>(source);
                source.clear();
                return taken;
            } finally {
                lock.unlock();
            }
        }
    }
}

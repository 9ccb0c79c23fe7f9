package io.acidq.engine.loop;

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

    /** There may be work in these lanes of the queue. Does nothing when the engine has no poller for it. */
    public void wake(int queue, Collection<Integer> lanes) {
        PollerSignal signal = byQueue.get(queue);
        if (signal != null) {
            signal.wake(lanes);
        }
    }

    /** Whether this queue may be claimed from has changed. Does nothing when the engine has no poller for it. */
    public void wakeAllLanes(int queue) {
        PollerSignal signal = byQueue.get(queue);
        if (signal != null) {
            signal.wakeAllLanes();
        }
    }

    /** There may be work in every lane of every queue. */
    public void wakeAllLanes() {
        byQueue.values().forEach(PollerSignal::wakeAllLanes);
    }

    /** A search has found rows in these lanes of the queue. */
    public void found(int queue, Collection<Integer> lanes) {
        pollerSignal(queue).found(lanes);
    }

    /** The queues whose pollers would claim if they knew a lane with work. */
    public List<Integer> idleQueues() {
        return byQueue.entrySet().stream()
                .filter(e -> e.getValue().isIdle())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How many claims have brought messages so far, by queue. */
    public Map<Integer, Long> claimCounts() {
        return byQueue.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().claimCount()));
    }

    /** Sets what runs when a poller becomes idle. */
    public void onIdle(Runnable wake) {
        onIdle = wake;
    }

    /** A message was scheduled in this process: it may be due before the one that the mover waits for. */
    public void messageScheduled() {
        onScheduled.run();
    }

    /** Sets what runs when a message is scheduled in this process. */
    public void onScheduled(Runnable wake) {
        onScheduled = wake;
    }

    /** The signal that one loop waits for between two runs. Thread-safe. */
    public static class Signal {

        final ReentrantLock lock = new ReentrantLock();
        private final Condition woken = lock.newCondition();
        private boolean wakeUpPending;

        /** Ends the wait, or the next one if there is none at present. */
        public final void wake() {
            lock.lock();
            try {
                wakeUpPending = true;
                woken.signal();
            } finally {
                lock.unlock();
            }
        }

        /** Waits for a wake-up given since the last wait ended, at most this long. */
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

    /** The signal of one queue's poller. It also says which lanes the wake-ups are about, and whether the poller can use them. */
    public static final class PollerSignal extends Signal {

        private final Runnable onIdle;
        private final Set<Integer> notified = new LinkedHashSet<>();
        private final Set<Integer> withFreedKey = new HashSet<>();
        private final Set<Integer> found = new HashSet<>();
        private volatile boolean idle;
        private volatile boolean waitsForCapacity;
        private volatile long claimCount;
        private boolean allLanes;

        PollerSignal(Runnable onIdle) {
            this.onIdle = onIdle;
        }

        /** There may be work in these lanes. */
        public void wake(Collection<Integer> lanes) {
            addAndWake(notified, lanes);
        }

        /** An ordering key of this lane has become free: of interest where a claim left rows behind. */
        public void keyFreed(int lane) {
            addAndWake(withFreedKey, List.of(lane));
        }

        /** A search has found rows in these lanes: of interest unless a lane rests. */
        void found(Collection<Integer> lanes) {
            addAndWake(found, lanes);
        }

        private void addAndWake(Set<Integer> to, Collection<Integer> lanes) {
            lock.lock();
            try {
                to.addAll(lanes);
                wake();
            } finally {
                lock.unlock();
            }
        }

        /** There may be work in every lane, also in those that gave nothing a moment ago. */
        public void wakeAllLanes() {
            lock.lock();
            try {
                allLanes = true;
                wake();
            } finally {
                lock.unlock();
            }
        }

        /** The buffer has capacity for more: of interest while the poller waits for that. */
        public void capacityFreed() {
            if (waitsForCapacity) {
                wake();
            }
        }

        /** Says whether the poller waits for capacity in the buffer. It says so before it asks the buffer, so that no freed capacity is overlooked. */
        public void setWaitsForCapacity(boolean value) {
            waitsForCapacity = value;
        }

        /** Says whether the poller would claim if it knew a lane with work. */
        public void setIdle(boolean value) {
            boolean begins = value && !idle;
            idle = value;
            if (begins) {
                onIdle.run();
            }
        }

        boolean isIdle() {
            return idle;
        }

        /** The poller has claimed something. Only the poller calls this. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
        public void countClaim() {
            claimCount++;
        }

        long claimCount() {
            return claimCount;
        }

        /** Whether {@link #wakeAllLanes} was called since the last time. */
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

        /** The lanes of {@link #wake(Collection)} since the last call, the earliest first. */
        public Set<Integer> takeNotified() {
            return take(notified);
        }

        /** The lanes of {@link #keyFreed} since the last call. */
        public Set<Integer> takeWithFreedKey() {
            return take(withFreedKey);
        }

        /** The lanes that searches have found since the last call. */
        public Set<Integer> takeFound() {
            return take(found);
        }

        private Set<Integer> take(Set<Integer> from) {
            lock.lock();
            try {
                Set<Integer> taken = new LinkedHashSet<>(from);
                from.clear();
                return taken;
            } finally {
                lock.unlock();
            }
        }
    }
}

package io.acidq.engine.duty;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Tells the poller of one queue that something changed. Hints only: losing all of them costs latency, nothing else. */
public final class Hints {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private final Runnable onHunger;
    private final Set<Integer> lanes = new LinkedHashSet<>();
    private final Set<Integer> freed = new HashSet<>();
    private final Set<Integer> found = new HashSet<>();
    private volatile boolean hungry;
    private volatile boolean wantsRoom;
    private volatile long claims;
    private boolean everyLane;
    private boolean awake;

    public Hints() {
        this(() -> {});
    }

    /** Hints for a poller. */
    Hints(Runnable onHunger) {
        this.onHunger = onHunger;
    }

    /** There may be work in these lanes. */
    public void lanes(Collection<Integer> withWork) {
        lock.lock();
        try {
            lanes.addAll(withWork);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** An ordering key of this lane has become free: of interest where a claim left rows behind. */
    public void freed(int lane) {
        lock.lock();
        try {
            freed.add(lane);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Somebody looked, and these lanes hold rows: of interest unless a lane rests. */
    void found(Collection<Integer> holdingRows) {
        lock.lock();
        try {
            found.addAll(holdingRows);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Says whether the poller would claim if it knew a lane with work. */
    public void hungry(boolean value) {
        boolean begins = value && !hungry;
        hungry = value;
        if (begins) {
            onHunger.run();
        }
    }

    boolean isHungry() {
        return hungry;
    }

    /** Its poller has claimed something. Called by the poller alone. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    public void claimed() {
        claims++;
    }

    long claims() {
        return claims;
    }

    /** Says whether the poller waits for room in the buffer. Said before it looks whether there is some, so that none is overlooked. */
    public void wantsRoom(boolean value) {
        wantsRoom = value;
    }

    /** There is room in the buffer. */
    public void room() {
        if (wantsRoom) {
            look();
        }
    }

    /** There may be work in every lane, also in those that gave nothing a moment ago. */
    public void everyLane() {
        lock.lock();
        try {
            everyLane = true;
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #everyLane} was called since the last time. */
    public boolean takeEveryLane() {
        lock.lock();
        try {
            boolean taken = everyLane;
            everyLane = false;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Something else changed: a stop, life regained. */
    public void look() {
        lock.lock();
        try {
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** The lanes with work, by hints since the last call, the first told of first. */
    public Set<Integer> takeLanes() {
        return take(lanes);
    }

    /** The lanes with a key that has become free since the last call. */
    public Set<Integer> takeFreed() {
        return take(freed);
    }

    /** The lanes that were found to hold rows since the last call. */
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

    /** Waits for a hint given since the last wait ended, at most this long. */
    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!awake && left > 0) {
                left = given.awaitNanos(left);
            }
            awake = false;
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        awake = true;
        given.signal();
    }
}

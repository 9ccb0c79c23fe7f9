package io.acidq.engine.listener;

import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.SuspectSlot;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Suspect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue that this node has claimed: waiting, or running. Work starts in order of (batch, id), the first message whose
 * ordering key is not running here; the rescuer of a dead node counts on that. A suspect runs alone: it starts when nothing of the queue runs, and
 * nothing starts beside it. Thread-safe.
 */
public final class MessageBuffer {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition startable = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private final WaitingMessages waitingMessages = new WaitingMessages();
    private final Map<Claim, ClaimedMessage> running = new HashMap<>();

    /** Claims of enqueues whose transactions are open, and when each is not counted on any more. Not guarded by the lock. */
    private final ConcurrentMap<Claim, Long> announced = new ConcurrentHashMap<>();

    private final BooleanSupplier mayStart;
    private final SuspectSlot suspectSlot;
    private final StartGuards guards;
    private int waitingWorkers;
    private boolean suspectIsRunning;
    private boolean moreAvailable;
    private boolean closed;

    /**
     * An empty buffer.
     *
     * @param mayStart    whether the node may start anything of the queue now
     * @param suspectSlot is released when a suspect leaves the buffer
     * @param guards      each start enters them
     */
    public MessageBuffer(BooleanSupplier mayStart, SuspectSlot suspectSlot, StartGuards guards) {
        this.mayStart = mayStart;
        this.suspectSlot = suspectSlot;
        this.guards = guards;
    }

    /**
     * The size of a buffer at one moment.
     *
     * @param waiting   messages that have not started
     * @param startable the waiting messages that could start at once: not behind another of their ordering key
     * @param running   messages that run
     */
    record Counts(int waiting, int startable, int running) {}

    /**
     * Puts in claimed messages.
     *
     * @param plenty whether there is more where they came from: then there will be enough for every worker that waits here
     */
    void put(Collection<ClaimedMessage> claimed, boolean plenty) {
        lock.lock();
        try {
            this.moreAvailable = plenty;
            claimed.forEach(waitingMessages::add);
            wakeWorkers(waitingMessages.startable());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The transaction of an enqueue has made this claim and is open. The node knows of it before the message is handed over.
     *
     * @param latest when it is not counted on any more, by the monotonic clock
     */
    void announce(Claim claim, long latest) {
        announced.put(claim, latest);
    }

    /** An announced claim is not counted on any more. */
    void forgetAnnounced(Claim claim) {
        announced.remove(claim);
    }

    /** Forgets announced claims whose messages were to be handed over by now. */
    public void forgetLateAnnounced(long now) {
        announced.values().removeIf(latest -> now - latest > 0);
    }

    /** Puts in a message that its enqueue has claimed; false when the buffer is closed, or a suspect runs or is to run alone. */
    boolean deliver(ClaimedMessage message) {
        lock.lock();
        try {
            announced.remove(message.claim()); // under the lock: at no moment is it in neither of the two
            if (isBlocked()) {
                return false;
            }
            waitingMessages.add(message);
            wakeWorkers(1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How many of so many workers have nothing to do and nothing before them: none while a suspect runs, or is to run alone. */
    int idleWorkers(int workers) {
        lock.lock();
        try {
            return isBlocked() ? 0 : workers - running.size() - waitingMessages.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean isBlocked() {
        return closed || suspectIsRunning || waitingMessages.holdsSuspect();
    }

    /**
     * Takes the next messages to start, which run from now on, no two with one ordering key. Empty when none could start within the time, or the
     * buffer is closed. A suspect comes alone; other messages are shared with the workers that wait here, unless there is plenty.
     *
     * @param most at most this many
     */
    List<ClaimedMessage> take(Duration patience, int most) throws InterruptedException {
        lock.lockInterruptibly();
        waitingWorkers++;
        ClaimedMessage next = null;
        try {
            long left = patience.toNanos();
            next = next();
            while (next == null && !closed && left > 0) {
                long nap = guards.nanosToWait(left); // a guard may let a start through without a notice
                left = left - nap + startable.awaitNanos(nap);
                next = next();
            }
            return next == null ? List.of() : begin(next, Math.min(most, fairShare()));
        } finally {
            waitingWorkers--;
            if (next == null) {
                wakeWorkers(
                        waitingMessages
                                .startable()); // this worker leaves, and may have got a signal that another one needs
            }
            lock.unlock();
        }
    }

    /** Wakes as many workers as there are starts: if each message woke all of them, waking would be most of the work. */
    private void wakeWorkers(int starts) {
        for (int i = Math.min(starts, waitingWorkers); i > 0; i--) {
            startable.signal();
        }
    }

    private @Nullable ClaimedMessage next() {
        ClaimedMessage first = firstStartable();
        return first == null || !guards.enter(first.claim()) ? null : first;
    }

    /** Wakes all waiting workers: the guards may let through now what they did not. */
    void wake() {
        lock.lock();
        try {
            startable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int fairShare() {
        return moreAvailable ? Integer.MAX_VALUE : (waitingMessages.startable() + waitingWorkers - 1) / waitingWorkers;
    }

    private List<ClaimedMessage> begin(ClaimedMessage first, int most) {
        begin(first);
        if (most <= 1 || first.isSuspect()) {
            return List.of(first);
        }
        List<ClaimedMessage> begun = new ArrayList<>(List.of(first));
        while (begun.size() < most) {
            ClaimedMessage next = firstStartable();
            if (next == null || next.isSuspect() || !guards.enter(next.claim())) {
                break;
            }
            begin(next);
            begun.add(next);
        }
        return begun;
    }

    private void begin(ClaimedMessage next) {
        waitingMessages.start(next);
        running.put(next.claim(), next);
        suspectIsRunning = next.isSuspect();
    }

    private @Nullable ClaimedMessage firstStartable() {
        if (closed || !mayStart.getAsBoolean() || suspectIsRunning) {
            return null;
        }
        ClaimedMessage first = waitingMessages.first();
        boolean mustWait = first != null && first.isSuspect() && !running.isEmpty();
        return mustWait ? null : first;
    }

    /** The suspect that would start if nothing ran; null when none waits for that. */
    @Nullable
    ClaimedMessage waitingSuspect() {
        lock.lock();
        try {
            ClaimedMessage first = suspectIsRunning || running.isEmpty() ? null : waitingMessages.first();
            return first != null && first.isSuspect() ? first : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The message's run is over and its outcome written, or known to be unknown.
     *
     * @param comesBack whether the caller takes the next message itself, so that no other worker is woken for it: of a single ordering key one
     *                  worker then runs all, with the connection that it keeps. A worker that does not come back after all {@link #wake wakes} the
     *                  others
     */
    void finished(ClaimedMessage message, boolean comesBack) {
        lock.lock();
        try {
            running.remove(message.claim());
            if (message.isSuspect()) {
                suspectIsRunning = false;
                suspectSlot.release();
            }
            waitingMessages.finished(message);
            wakeWorkers(waitingMessages.startable() - (comesBack ? 1 : 0));
            if (running.isEmpty()) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes out a waiting message; empty when it does not wait any more. */
    List<Claim> remove(ClaimedMessage unstarted) {
        return remove(() -> waitingMessages.removeIf(unstarted::equals));
    }

    /** Takes out the waiting messages of an ordering key: their head failed, and they are requeued with it. */
    List<Claim> removeFollowers(@Nullable String orderKey) {
        return orderKey == null ? List.of() : remove(() -> waitingMessages.removeKey(orderKey));
    }

    /** Takes out everything that waits and lets nothing start any more. */
    List<Claim> close() {
        return remove(() -> {
            closed = true;
            startable.signalAll();
            return waitingMessages.removeIf(m -> true);
        });
    }

    /** Takes out everything that waits. */
    public List<Claim> removeUnstarted() {
        return remove(() -> waitingMessages.removeIf(m -> true));
    }

    /** Takes out what waits under the claims of a node that was declared dead. */
    public List<Claim> removeOwnedBy(int node) {
        return remove(() -> waitingMessages.removeIf(m -> m.claim().owner() == node));
    }

    private List<Claim> remove(Supplier<List<ClaimedMessage>> removal) {
        lock.lock();
        try {
            List<ClaimedMessage> removed = removal.get();
            if (removed.stream().anyMatch(ClaimedMessage::isSuspect)) {
                suspectSlot.release();
            }
            wakeWorkers(waitingMessages.startable());
            return removed.stream().map(ClaimedMessage::claim).toList();
        } finally {
            lock.unlock();
        }
    }

    Counts counts() {
        lock.lock();
        try {
            return new Counts(waitingMessages.size(), waitingMessages.startable(), running.size());
        } finally {
            lock.unlock();
        }
    }

    /** The suspect that waits or runs here. */
    Optional<Suspect> suspect(String queue) {
        lock.lock();
        try {
            return held().filter(ClaimedMessage::isSuspect)
                    .findFirst()
                    .map(m -> new Suspect(m.id(queue), m.crashes(), running.containsKey(m.claim())));
        } finally {
            lock.unlock();
        }
    }

    /** How many workers wait for something to start. */
    int waitingWorkers() {
        lock.lock();
        try {
            return waitingWorkers;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a message of this ordering key waits or runs. */
    boolean holdsKey(String orderKey) {
        lock.lock();
        try {
            return waitingMessages.holdsKey(orderKey);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a message of this lane waits or runs here that has an ordering key. */
    boolean holdsKeysOfLane(int lane) {
        lock.lock();
        try {
            return held().anyMatch(m -> m.orderingKey() != null && m.claim().lane() == lane);
        } finally {
            lock.unlock();
        }
    }

    private Stream<ClaimedMessage> held() {
        return Stream.concat(running.values().stream(), waitingMessages.all.stream());
    }

    /** Every claim that waits or runs here, or is announced. */
    public Set<Claim> knownClaims() {
        lock.lock();
        try {
            Set<Claim> known = new HashSet<>(running.keySet());
            known.addAll(announced.keySet());
            waitingMessages.all.forEach(m -> known.add(m.claim()));
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing runs; false when something still does after the time. */
    boolean awaitIdle(Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patience.toNanos();
            while (!running.isEmpty() && left > 0) {
                left = idle.awaitNanos(left);
            }
            return running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The messages that have not started, in order of (batch, id), and among them those that may start now: without an ordering key, or the first
     * of a key that does not run. Guarded by the buffer's lock.
     */
    private static final class WaitingMessages {

        private static final Comparator<ClaimedMessage> ORDER = Comparator.comparingLong(ClaimedMessage::batch)
                .thenComparingLong(m -> m.claim().id());

        private final TreeSet<ClaimedMessage> all = new TreeSet<>(ORDER);
        private final TreeSet<ClaimedMessage> startable = new TreeSet<>(ORDER);
        private final Map<String, TreeSet<ClaimedMessage>> byKey = new HashMap<>();
        private final Set<String> runningKeys = new HashSet<>();
        private int suspects;

        void add(ClaimedMessage message) {
            if (all.add(message) && message.isSuspect()) {
                suspects++;
            }
            String key = message.orderingKey();
            if (key == null) {
                startable.add(message);
            } else {
                byKey.computeIfAbsent(key, k -> new TreeSet<>(ORDER)).add(message);
                updateFirst(key);
            }
        }

        /** The next message to start; null when none may. */
        @Nullable
        ClaimedMessage first() {
            return startable.isEmpty() ? null : startable.first();
        }

        /** The message starts: its ordering key runs until {@link #finished}. */
        void start(ClaimedMessage message) {
            if (message.orderingKey() != null) {
                runningKeys.add(message.orderingKey());
            }
            remove(message);
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
            startable.remove(message);
            String key = message.orderingKey();
            if (key != null && byKey.containsKey(key)) {
                byKey.get(key).remove(message);
                updateFirst(key);
            }
        }

        /** Exactly the first message of the key may start, and none while the key runs. */
        private void updateFirst(String key) {
            TreeSet<ClaimedMessage> ofKey = byKey.get(key);
            if (ofKey == null) {
                return;
            }
            if (ofKey.isEmpty()) {
                byKey.remove(key);
                return;
            }
            ofKey.stream().limit(2).forEach(startable::remove); // the first, and the one that was it before
            if (!runningKeys.contains(key)) {
                startable.add(ofKey.first());
            }
        }

        List<ClaimedMessage> removeIf(Predicate<ClaimedMessage> which) {
            return removeAll(all.stream().filter(which).toList());
        }

        List<ClaimedMessage> removeKey(String orderKey) {
            TreeSet<ClaimedMessage> ofKey = byKey.get(orderKey);
            return ofKey == null ? List.of() : removeAll(new ArrayList<>(ofKey));
        }

        private List<ClaimedMessage> removeAll(List<ClaimedMessage> which) {
            which.forEach(this::remove);
            return which;
        }

        boolean holdsKey(String orderKey) {
            return runningKeys.contains(orderKey) || byKey.containsKey(orderKey);
        }

        boolean holdsSuspect() {
            return suspects > 0;
        }

        int size() {
            return all.size();
        }

        /** How many could start at once if there were workers enough. */
        int startable() {
            return startable.size();
        }
    }
}

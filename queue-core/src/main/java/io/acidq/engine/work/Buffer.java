package io.acidq.engine.work;

import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.Probation;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Suspect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What this node has claimed of one queue: waiting, or running. Work starts in order of (batch, id), the first message whose
 * ordering key is not running here; the rescuer of a dead node counts on that. A suspect runs alone: it starts when nothing of
 * the queue runs, and nothing starts beside it.
 */
final class Buffer {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private final Unstarted waiting = new Unstarted();
    private final Map<Claim, ClaimedMessage> running = new HashMap<>();
    private final Announced announced = new Announced();
    private final BooleanSupplier mayStart;
    private final Probation probation;
    private final StartGuards guards;
    private int takers;
    private boolean suspectRuns;
    private boolean plenty;
    private boolean closed;

    Buffer(BooleanSupplier mayStart, Probation probation) {
        this(mayStart, probation, StartGuards.NONE);
    }

    Buffer(BooleanSupplier mayStart, Probation probation, StartGuards guards) {
        this.mayStart = mayStart;
        this.probation = probation;
        this.guards = guards;
    }

    /** As {@link #add(Collection, boolean)} of all that there was. */
    void add(Collection<ClaimedMessage> claimed) {
        add(claimed, false);
    }

    /**
     * Takes in what was claimed.
     *
     * @param plenty whether there is more where it came from: then there will be enough for every worker that waits here
     */
    void add(Collection<ClaimedMessage> claimed, boolean plenty) {
        lock.lock();
        try {
            this.plenty = plenty;
            claimed.forEach(waiting::add);
            tellTakers(waiting.startable());
        } finally {
            lock.unlock();
        }
    }

    /** What enqueues have claimed, and may be delivered. */
    Announced announced() {
        return announced;
    }

    /** Takes in a message that its enqueue has claimed; false when the buffer is closed, or a suspect runs or is to run alone. */
    boolean deliver(ClaimedMessage message) {
        lock.lock();
        try {
            announced.forget(message.claim()); // while nobody asks what is known: it is in one of the two
            if (isBlocked()) {
                return false;
            }
            waiting.add(message);
            tellTakers(1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How many of so many workers have nothing to do and nothing before them: none while a suspect runs, or is to run alone. */
    int free(int workers) {
        lock.lock();
        try {
            return isBlocked() ? 0 : workers - running.size() - waiting.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean isBlocked() {
        return closed || suspectRuns || waiting.holdsSuspect();
    }

    /**
     * The next messages to start, now running, no two with one ordering key; none when none could start within the time, or the buffer is
     * closed. A suspect comes alone, and what there is is shared with the others that wait here, unless there is plenty.
     *
     * @param most at most this many
     */
    List<ClaimedMessage> take(Duration patience, int most) throws InterruptedException {
        lock.lockInterruptibly();
        takers++;
        ClaimedMessage next = null;
        try {
            long left = patience.toNanos();
            next = next();
            while (next == null && !closed && left > 0) {
                long nap = guards.nap(left); // one of them may let a start through without telling
                left = left - nap + told.awaitNanos(nap);
                next = next();
            }
            return next == null ? List.of() : begin(next, Math.min(most, share()));
        } finally {
            takers--;
            if (next == null) {
                tellTakers(waiting.startable()); // this one may have been told of something, and leaves
            }
            lock.unlock();
        }
    }

    /** As many as there is something for: with all of them woken for each message, waking would be most of the work. */
    private void tellTakers(int starts) {
        for (int i = Math.min(starts, takers); i > 0; i--) {
            told.signal();
        }
    }

    private @Nullable ClaimedMessage next() {
        ClaimedMessage first = startable();
        return first == null || !guards.enter(first.claim()) ? null : first;
    }

    /** What waits may start now: the guards have changed their minds. */
    void wake() {
        lock.lock();
        try {
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int share() {
        return plenty ? Integer.MAX_VALUE : (waiting.startable() + takers - 1) / takers;
    }

    private List<ClaimedMessage> begin(ClaimedMessage first, int most) {
        begin(first);
        if (most <= 1 || first.isSuspect()) {
            return List.of(first);
        }
        List<ClaimedMessage> begun = new ArrayList<>(List.of(first));
        while (begun.size() < most) {
            ClaimedMessage next = startable();
            if (next == null || next.isSuspect() || !guards.enter(next.claim())) {
                break;
            }
            begin(next);
            begun.add(next);
        }
        return begun;
    }

    private void begin(ClaimedMessage next) {
        waiting.start(next);
        running.put(next.claim(), next);
        suspectRuns = next.isSuspect();
    }

    private @Nullable ClaimedMessage startable() {
        if (closed || !mayStart.getAsBoolean() || suspectRuns) {
            return null;
        }
        ClaimedMessage first = waiting.first();
        boolean mustWait = first != null && first.isSuspect() && !running.isEmpty();
        return mustWait ? null : first;
    }

    /** The suspect that would start if nothing ran; null when none waits for that. */
    @Nullable
    ClaimedMessage waitingSuspect() {
        lock.lock();
        try {
            ClaimedMessage first = suspectRuns || running.isEmpty() ? null : waiting.first();
            return first != null && first.isSuspect() ? first : null;
        } finally {
            lock.unlock();
        }
    }

    /** Takes out one that waits. */
    List<Claim> remove(ClaimedMessage unstarted) {
        return remove(() -> waiting.removeIf(unstarted::equals));
    }

    /**
     * The message's run is over and its outcome written, or known to be unknown.
     *
     * @param comesBack whether the caller takes the next one itself, so that none is woken for that: of a single ordering key one worker
     *                  then runs all, with the connection that it keeps. One that does not come back after all {@link #wake wakes} the others
     */
    void finished(ClaimedMessage message, boolean comesBack) {
        lock.lock();
        try {
            running.remove(message.claim());
            if (message.isSuspect()) {
                suspectRuns = false;
                probation.leave();
            }
            waiting.ended(message);
            tellTakers(waiting.startable() - (comesBack ? 1 : 0));
            if (running.isEmpty()) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes out the waiting messages of an ordering key: their head failed and they are to be given back with it. */
    List<Claim> removeFollowers(@Nullable String orderKey) {
        return orderKey == null ? List.of() : remove(() -> waiting.removeKey(orderKey));
    }

    /** Takes out everything that waits and lets nothing start any more. */
    List<Claim> close() {
        return remove(() -> {
            closed = true;
            told.signalAll();
            return waiting.removeIf(m -> true);
        });
    }

    /** Takes out everything that waits. */
    List<Claim> removeUnstarted() {
        return remove(() -> waiting.removeIf(m -> true));
    }

    /** Takes out what waits under the claims of a buried node. */
    List<Claim> removeOwnedBy(int node) {
        return remove(() -> waiting.removeIf(m -> m.claim().owner() == node));
    }

    private List<Claim> remove(Supplier<List<ClaimedMessage>> removal) {
        lock.lock();
        try {
            List<ClaimedMessage> removed = removal.get();
            if (removed.stream().anyMatch(ClaimedMessage::isSuspect)) {
                probation.leave();
            }
            tellTakers(waiting.startable());
            return removed.stream().map(ClaimedMessage::claim).toList();
        } finally {
            lock.unlock();
        }
    }

    /** What is held at this moment. */
    Stock stock() {
        lock.lock();
        try {
            return new Stock(waiting.size(), waiting.startable(), running.size());
        } finally {
            lock.unlock();
        }
    }

    /** The message on probation. */
    Optional<Suspect> suspect(String queue) {
        lock.lock();
        try {
            return held().filter(ClaimedMessage::isSuspect)
                    .findFirst()
                    .map(m -> new Suspect(m.id(queue), m.deaths(), running.containsKey(m.claim())));
        } finally {
            lock.unlock();
        }
    }

    /** How many workers wait for something to start. */
    int takers() {
        lock.lock();
        try {
            return takers;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a message of this ordering key waits or runs. */
    boolean holdsKey(String orderKey) {
        lock.lock();
        try {
            return waiting.holdsKey(orderKey);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a message of this lane waits or runs here that has an ordering key. */
    boolean holdsKeysOf(int lane) {
        lock.lock();
        try {
            return held().anyMatch(m -> m.orderKey() != null && m.claim().lane() == lane);
        } finally {
            lock.unlock();
        }
    }

    private Stream<ClaimedMessage> held() {
        return Stream.concat(
                running.values().stream(), StreamSupport.stream(waiting.all().spliterator(), false));
    }

    /** Every claim that waits or runs here, or is on its way. */
    Set<Claim> known() {
        lock.lock();
        try {
            Set<Claim> known = new HashSet<>(running.keySet());
            known.addAll(announced.claims());
            waiting.all().forEach(m -> known.add(m.claim()));
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
}

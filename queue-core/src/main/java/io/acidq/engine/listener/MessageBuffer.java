package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.QueueState.Suspect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * The messages of one queue that this node has claimed: they wait here, then run. Priorities with startable messages take turns. Within a priority,
 * messages start in the order of (batch, id); a message whose ordering key runs here waits for that run and is passed over. {@code Rescuer} relies on
 * this order after a crash. A suspect runs alone: it starts when no message of the queue runs, and none starts beside it. Thread-safe.
 */
public final class MessageBuffer {

    /** The most expired messages that are taken together. */
    private static final int EXPIRED_LIMIT = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition startable = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private final UnstartedMessages unstartedMessages = new UnstartedMessages();
    private final Map<Claim, ClaimedMessage> running = new HashMap<>();

    /**
     * The claims that open transactions of enqueues have made, each with the time after which it is forgotten. Not
     * guarded by the lock.
     */
    private final ConcurrentMap<Claim, Long> announced = new ConcurrentHashMap<>();

    private final BooleanSupplier mayStart;
    private final SuspectSlot suspectSlot;
    private final StartGuards guards;
    private final Predicate<ClaimedMessage> hasExpired;
    private int waitingWorkers;
    private boolean suspectIsRunning;
    private boolean laneHasMore;
    private boolean closed;

    /**
     * Creates an empty buffer.
     *
     * @param mayStart    whether the node may start messages of the queue now
     * @param suspectSlot is released when a suspect leaves the buffer
     * @param guards      are entered at each start
     * @param hasExpired  whether a message is ended without a start, because it has expired
     */
    MessageBuffer(
            BooleanSupplier mayStart,
            SuspectSlot suspectSlot,
            StartGuards guards,
            Predicate<ClaimedMessage> hasExpired) {
        this.mayStart = mayStart;
        this.suspectSlot = suspectSlot;
        this.guards = guards;
        this.hasExpired = hasExpired;
    }

    /**
     * The numbers of messages in a buffer at one moment.
     *
     * @param unstarted     messages that have not started
     * @param startable     those of them that could start at once, since no message of their ordering key is before them
     * @param running       messages that run
     * @param shareOfStarts the part of the next starts that these messages get, 0 to 1
     */
    record Counts(int unstarted, int startable, int running, double shareOfStarts) {}

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds claimed messages.
     *
     * @param hasMore whether rows are left in the lane: then a worker need not leave messages for the other waiting workers
     */
    void put(Collection<ClaimedMessage> claimed, boolean hasMore) {
        locked(() -> {
            laneHasMore = hasMore;
            claimed.forEach(unstartedMessages::add);
            wakeWorkers(unstartedMessages.startable());
        });
    }

    /**
     * Records a claim that the open transaction of an enqueue has made, so that the reconciler knows it before the
     * message arrives.
     *
     * @param latest when the claim is forgotten if no message has arrived, by the monotonic clock
     */
    void announce(Claim claim, long latest) {
        announced.put(claim, latest);
    }

    /** Forgets an announced claim whose message will not arrive. */
    void forgetAnnounced(Claim claim) {
        announced.remove(claim);
    }

    /** Forgets announced claims whose messages are overdue. */
    public void forgetLateAnnounced(long now) {
        announced.values().removeIf(latest -> now - latest > 0);
    }

    /**
     * Adds a message that its enqueue has claimed. Returns false when the buffer is closed, or when a suspect runs or
     * waits to run alone.
     */
    boolean deliver(ClaimedMessage message) {
        return locked(() -> {
            announced.remove(message.claim()); // under the lock: knownClaims() finds the claim at every moment
            if (isBlocked()) {
                return false;
            }
            unstartedMessages.add(message);
            wakeWorkers(1);
            return true;
        });
    }

    /** Returns how many of the queue's workers have nothing to do: none while a suspect runs or waits to run alone. */
    int idleWorkers(int workers) {
        return locked(() -> isBlocked() ? 0 : workers - running.size() - unstartedMessages.size());
    }

    private boolean isBlocked() {
        return closed || suspectIsRunning || unstartedMessages.holdsSuspect();
    }

    /**
     * Takes the next messages, no two with the same ordering key; they run from now on. A suspect is taken alone.
     * Unless the lane has more, the messages are shared evenly with the other workers that wait here.
     *
     * <p>If the next message has expired, takes up to 100 expired ones and no other, with those that follow them in their ordering keys. They enter no guard.
     *
     * @param limit takes at most this many that have not expired
     * @return the messages; none when none could start within the time, or when the buffer is closed
     */
    List<ClaimedMessage> take(Duration timeout, int limit) throws InterruptedException {
        lock.lockInterruptibly();
        waitingWorkers++;
        ClaimedMessage next = null;
        try {
            long left = timeout.toNanos();
            next = next();
            while (next == null && !closed && left > 0) {
                long nap = guards.nanosToWait(left); // a guard gives no signal when it lets messages start again
                left = left - nap + startable.awaitNanos(nap);
                next = next();
            }
            return next == null ? List.of() : begin(next, Math.min(limit, perWaitingWorker()));
        } finally {
            waitingWorkers--;
            if (next == null) { // this worker may have received a signal that another one needs
                wakeWorkers(unstartedMessages.startable());
            }
            lock.unlock();
        }
    }

    /**
     * Wakes as many workers as there are messages to start: if each message woke all workers, they would mostly be busy
     * with waking up.
     */
    private void wakeWorkers(int starts) {
        for (int i = Math.min(starts, waitingWorkers); i > 0; i--) {
            startable.signal();
        }
    }

    private @Nullable ClaimedMessage next() {
        ClaimedMessage first = firstStartable();
        return first == null || !(endsAsExpired(first) || guards.enter(first.claim())) ? null : first;
    }

    /** A suspect runs alone, and so it ends alone. */
    private boolean endsAsExpired(ClaimedMessage message) {
        return !message.isSuspect() && hasExpired.test(message);
    }

    /** Wakes all waiting workers, because the guards may now let messages start. */
    void wake() {
        locked(startable::signalAll);
    }

    private int perWaitingWorker() {
        return laneHasMore ? Integer.MAX_VALUE : (unstartedMessages.startable() + waitingWorkers - 1) / waitingWorkers;
    }

    private List<ClaimedMessage> begin(ClaimedMessage first, int limit) {
        if (endsAsExpired(first)) {
            List<ClaimedMessage> expired = unstartedMessages.startAll(this::endsAsExpired, EXPIRED_LIMIT);
            expired.forEach(message -> running.put(message.claim(), message));
            suspectIsRunning = false;
            return expired;
        }
        begin(first);
        if (limit <= 1 || first.isSuspect()) {
            return List.of(first);
        }
        List<ClaimedMessage> begun = new ArrayList<>(List.of(first));
        while (begun.size() < limit) {
            ClaimedMessage next = firstStartable();
            if (next == null || next.isSuspect() || endsAsExpired(next) || !guards.enter(next.claim())) {
                break;
            }
            begin(next);
            begun.add(next);
        }
        return begun;
    }

    private void begin(ClaimedMessage next) {
        unstartedMessages.start(next);
        running.put(next.claim(), next);
        suspectIsRunning = next.isSuspect();
    }

    private @Nullable ClaimedMessage firstStartable() {
        if (closed || !mayStart.getAsBoolean() || suspectIsRunning) {
            return null;
        }
        ClaimedMessage first = unstartedMessages.first();
        boolean mustWait = first != null && first.isSuspect() && !running.isEmpty();
        return mustWait ? null : first;
    }

    /** Returns the suspect that waits for running messages to end. */
    Optional<ClaimedMessage> waitingSuspect() {
        return locked(() -> suspectIsRunning || running.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(unstartedMessages.first()).filter(ClaimedMessage::isSuspect));
    }

    /**
     * Removes a message that has run. Its outcome is written, or left to the reconciler.
     *
     * @param takesNext whether the caller takes the next message itself, so that no other worker is woken for it: one
     *                  worker then runs all messages of a single ordering key on one connection. A caller that does not
     *                  take it in the end {@link #wake wakes} the others
     */
    void finished(ClaimedMessage message, boolean takesNext) {
        locked(() -> {
            running.remove(message.claim());
            if (message.isSuspect()) {
                suspectIsRunning = false;
                suspectSlot.release();
            }
            unstartedMessages.finished(message);
            wakeWorkers(unstartedMessages.startable() - (takesNext ? 1 : 0));
            if (running.isEmpty()) {
                idle.signalAll();
            }
        });
    }

    /** Removes an unstarted message. Returns its claim, or an empty list when it is no longer here. */
    List<Claim> remove(ClaimedMessage unstarted) {
        return remove(() -> unstartedMessages.removeIf(unstarted::equals));
    }

    /**
     * Removes the unstarted messages of an ordering key: its first message has failed, and the others are requeued with
     * it.
     */
    List<Claim> removeFollowers(@Nullable String orderingKey) {
        return orderingKey == null ? List.of() : remove(() -> unstartedMessages.removeKey(orderingKey));
    }

    /** Removes all unstarted messages. No message can start after this. */
    List<Claim> close() {
        return remove(() -> {
            closed = true;
            startable.signalAll();
            return unstartedMessages.removeIf(m -> true);
        });
    }

    /** Removes all unstarted messages. */
    public List<Claim> removeUnstarted() {
        return remove(() -> unstartedMessages.removeIf(m -> true));
    }

    /** Removes the unstarted messages that this process claimed as the given node, which was then declared dead. */
    public List<Claim> removeOwnedBy(int node) {
        return remove(() -> unstartedMessages.removeIf(m -> m.claim().owner() == node));
    }

    private List<Claim> remove(Supplier<List<ClaimedMessage>> removal) {
        return locked(() -> {
            List<ClaimedMessage> removed = removal.get();
            if (removed.stream().anyMatch(ClaimedMessage::isSuspect)) {
                suspectSlot.release();
            }
            wakeWorkers(unstartedMessages.startable());
            return removed.stream().map(ClaimedMessage::claim).toList();
        });
    }

    Counts counts() {
        return locked(() -> new Counts(unstartedMessages.size(), unstartedMessages.startable(), running.size(), 1));
    }

    /**
     * Returns the numbers that matter for a claim of messages of this priority: the unstarted messages of the same
     * priority, and the startable ones of the same or a higher priority.
     */
    Counts counts(Priority priority) {
        return locked(() -> new Counts(
                unstartedMessages.size(priority),
                unstartedMessages.startableFrom(priority),
                running.size(),
                unstartedMessages.shareOfStarts(priority)));
    }

    /** Returns the suspect that waits or runs here. */
    Optional<Suspect> suspect(String queue) {
        return locked(() -> held().filter(ClaimedMessage::isSuspect)
                .findFirst()
                .map(m -> new Suspect(m.id(queue), m.crashes(), running.containsKey(m.claim()))));
    }

    /** Returns how many workers wait for a message. */
    int waitingWorkers() {
        return locked(() -> waitingWorkers);
    }

    /** Returns whether a message of this ordering key is unstarted or runs. */
    boolean holdsKey(String orderingKey) {
        return locked(() -> unstartedMessages.holdsKey(orderingKey));
    }

    /** Returns whether a message of this lane that has an ordering key is unstarted or runs. */
    boolean holdsKeysOfLane(int lane) {
        return locked(
                () -> held().anyMatch(m -> m.orderingKey() != null && m.claim().lane() == lane));
    }

    private Stream<ClaimedMessage> held() {
        return Stream.concat(running.values().stream(), unstartedMessages.stream());
    }

    /** Returns every claim whose message is unstarted or runs here, or is announced. */
    public Set<Claim> knownClaims() {
        return locked(() -> {
            Set<Claim> known = new HashSet<>(announced.keySet());
            held().forEach(m -> known.add(m.claim()));
            return known;
        });
    }

    /** Waits until no message runs. Returns false when the time is over before. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (!running.isEmpty() && left > 0) {
                left = idle.awaitNanos(left);
            }
            return running.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}

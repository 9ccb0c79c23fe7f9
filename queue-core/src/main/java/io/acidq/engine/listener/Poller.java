package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.config.EngineConfig;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The task that keeps the buffer of one queue filled. It learns from wake-ups and from searches which lanes have
 * messages, and lets the {@link Claimer} claim from them while the buffer has free capacity. Confined to its own
 * thread.
 */
final class Poller implements PeriodicTask {

    /** When guards stop claiming for longer than this, the poller requeues the messages that have not started. */
    private static final Duration LONG_STOP = Duration.ofSeconds(1);

    /** How long a suspect that was claimed for the first time may hold up its queue. */
    private static final Duration FIRST_SUSPECT_WAIT = Duration.ofSeconds(1);

    /** How often a busy poller searches for HIGH messages of other processes, if the queue has priorities. */
    private static final Duration BETWEEN_HIGH_SEARCHES = Duration.ofMillis(25);

    private static final int MAX_WAIT_SHIFT = 8;

    /** A suspect that was requeued is due again after this many times its wait. */
    private static final int WAITS_BETWEEN_CLAIMS = 2;

    private final Claimer claimer;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final WakeUps.PollerSignal signal;
    private final StartGuards guards;
    private final BooleanSupplier paused;
    private final EngineConfig config;
    private final NodeContext node;
    private final OutcomeRecorder recorder;
    private final LaneSchedule lanes;
    private final PriorityTurns turns = new PriorityTurns();
    private final QueueRegistry queues;

    /** When this poller searched last for lanes of HIGH while it was busy. */
    private long lastHighSearch;

    /** Whether the last run claimed messages, or left lanes because the buffer was full. */
    private boolean busy;

    /** The suspect that waits for running handlers to end. */
    private @Nullable Claim waitingSuspect;

    private long suspectWaitsSince;

    /**
     * Creates the poller of the claimer's queue.
     *
     * @param signal   names lanes to this poller, and learns from it whether it is idle
     * @param paused   whether the queue is paused, by an operator or in this process
     * @param recorder requeues a suspect that holds up the queue
     * @param queues   knows whether the queue has messages that are not {@link Priority#NORMAL}
     */
    Poller(
            Claimer claimer,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            WakeUps.PollerSignal signal,
            StartGuards guards,
            BooleanSupplier paused,
            EngineConfig config,
            NodeContext node,
            OutcomeRecorder recorder,
            QueueRegistry queues) {
        this.claimer = claimer;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.signal = signal;
        this.guards = guards;
        this.paused = paused;
        this.config = config;
        this.node = node;
        this.recorder = recorder;
        this.queues = queues;
        this.lastHighSearch = node.nanoTime().getAsLong();
        this.lanes = new LaneSchedule(node.nanoTime(), config.pollMinInterval(), config.pollMaxInterval());
    }

    @Override
    public String name() {
        return "poll-" + claimer.queue().name();
    }

    @Override
    public Duration runOnce() {
        if (!node.heartbeat().isFresh()) {
            return config.pollMaxInterval();
        }
        signal.setIdle(false); // while the queue is held up, the work finder must not search for it
        if (guards.reportChanges()) {
            buffer.wake();
            lanes.searchSoon();
        }
        if (paused.getAsBoolean()) {
            claimer.requeueUnstarted();
            return config.pollMaxInterval(); // the end of the pause wakes this poller
        }
        GuardState stop = guards.stoppingGuard();
        if (stop != null) {
            return claimNothing(stop);
        }
        if (requeueOverdueSuspect()) {
            signal.wakeAllLanes(); // suspects of other lanes may be claimed now
        }
        boolean claimed = fillBuffer() > 0;
        if (claimed) {
            lanes.recordBusy();
        }
        Set<Priority> wanted = lanes.isEmpty() ? Set.of(Priority.NORMAL) : lanes.priorities();
        signal.setWaitsForCapacity(wanted);
        boolean isFull = wanted.stream().allMatch(priority -> freeCapacity(priority) == 0);
        busy = claimed || isFull;
        if (isFull) {
            lanes.recordBusy();
            Duration wait = waitForGuards(); // a worker wakes this poller when the buffer runs low
            return needsHighSearch() ? Duration.ofNanos(Math.min(wait.toNanos(), untilHighSearch())) : wait;
        }
        signal.setWaitsForCapacity(Set.of());
        if (claimed || !lanes.isEmpty()) {
            return Duration.ZERO;
        }
        signal.setIdle(true);
        return lanes.untilNext();
    }

    /** Waits for a guard. Requeues the unstarted messages if the wait may be long, so that other nodes can run them. */
    private Duration claimNothing(GuardState stop) {
        lanes.recordBusy();
        if (stop.kind() == GuardState.Kind.BREAKER || stop.untilChange().compareTo(LONG_STOP) > 0) {
            claimer.requeueUnstarted();
        }
        return waitForGuards();
    }

    private Duration waitForGuards() {
        return Duration.ofNanos(guards.nanosToWait(config.pollMaxInterval().toNanos()));
    }

    /**
     * Requeues a suspect that has waited too long for running handlers, and returns whether there was one. While a
     * suspect waits, the queue starts no other message. The wait grows with each claim that led to no attempt.
     * Between two claims of the suspect, the queue runs other messages.
     */
    private boolean requeueOverdueSuspect() {
        ClaimedMessage suspect = buffer.waitingSuspect().orElse(null);
        long now = node.nanoTime().getAsLong();
        if (suspect == null || !suspect.claim().equals(waitingSuspect)) {
            waitingSuspect = suspect == null ? null : suspect.claim();
            suspectWaitsSince = now;
            return false;
        }
        Duration wait = FIRST_SUSPECT_WAIT.multipliedBy(
                1L << Math.min(RequeueBackoff.claimsWithoutAttempt(suspect), MAX_WAIT_SHIFT));
        if (now - suspectWaitsSince < wait.toNanos() || buffer.remove(suspect).isEmpty()) {
            return false;
        }
        waitingSuspect = null;
        recorder.requeueSuspect(suspect, wait.multipliedBy(WAITS_BETWEEN_CLAIMS));
        return true;
    }

    /**
     * Claims once from each lane that is known to have messages, and returns how many messages it got. First searches
     * for lanes if a search is due.
     */
    private int fillBuffer() {
        takeWakeUps();
        lanes.endElapsedWaits();
        if (lanes.isSearchDue()) {
            lanes.beginSearch();
            addFound(claimer.lanesWithWork());
        }
        searchHighLanes();
        int claimed = 0;
        for (int left = lanes.size(); left > 0 && !lanes.isEmpty(); left--) {
            Map<Priority, Integer> capacities = new EnumMap<>(Priority.class);
            lanes.priorities().forEach(priority -> capacities.put(priority, freeCapacity(priority)));
            Priority next = turns.next(priority -> capacities.getOrDefault(priority, 0) > 0);
            if (next == null || paused.getAsBoolean()) { // the pause may have begun during the search
                break;
            }
            turns.take(next);
            claimed += claimFrom(lanes.next(next), capacities.getOrDefault(next, 0));
            takeWakeUps();
            searchHighLanes();
        }
        return claimed;
    }

    private int freeCapacity(Priority priority) {
        return prefetch.freeCapacity(buffer, guards, priority);
    }

    /**
     * Searches for HIGH messages of other processes while this poller is busy: the work finder searches for idle pollers
     * only, and a HIGH message must not wait for the next search of all lanes.
     */
    private void searchHighLanes() {
        if (busy && needsHighSearch() && untilHighSearch() == 0) {
            lastHighSearch = node.nanoTime().getAsLong();
            addFound(claimer.highLanesWithWork());
        }
    }

    private boolean needsHighSearch() {
        return hasPriorities() && !lanes.hasLanes(Priority.HIGH);
    }

    private long untilHighSearch() {
        long interval = Math.max(config.pollMinInterval().toNanos(), BETWEEN_HIGH_SEARCHES.toNanos());
        return Math.max(0, lastHighSearch + interval - node.nanoTime().getAsLong());
    }

    private boolean hasPriorities() {
        return queues.hasPriorities(claimer.queue());
    }

    private void addFound(Collection<Integer> found) {
        lanes.addFound(found);
        notePriorities(found);
    }

    /** Remembers that the queue has priorities, so that missing rows of their lanes are added again. */
    private void notePriorities(Collection<Integer> found) {
        if (!hasPriorities() && found.stream().anyMatch(lane -> Priority.ofLane(lane) != Priority.NORMAL)) {
            queues.foundPriority(claimer.queue());
        }
    }

    private int claimFrom(int lane, int capacity) {
        Claimed result = claimer.claim(lane, capacity, lanes.size() + 1);
        int count = result.messages().size();
        if (count > 0) {
            signal.countClaim();
            lanes.onClaimed(lane, result.leftover(), result.leftover() && isOneKey(result.messages()));
        } else if (result.leftover()) {
            lanes.onNothingClaimed(lane, result.nextDue(), !result.busy() && buffer.holdsKeysOfLane(lane));
        } else {
            lanes.onEmpty(lane);
        }
        return count;
    }

    private static boolean isOneKey(List<ClaimedMessage> messages) {
        return messages.size() > 1
                && messages.get(0).orderingKey() != null
                && messages.stream().map(ClaimedMessage::orderingKey).distinct().count() == 1;
    }

    private void takeWakeUps() {
        if (signal.takeAllLanes()) {
            lanes.wakeAllLanes();
            buffer.wake();
        }
        Set<Integer> found = signal.takeFound();
        if (!found.isEmpty()) {
            lanes.addFoundByWorkFinder(found);
            notePriorities(found);
        }
        signal.takeNotified().forEach(lanes::addNotified);
        signal.takeWithFreedKey().forEach(lanes::onKeyFreed);
    }
}

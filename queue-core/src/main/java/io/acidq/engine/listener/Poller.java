package io.acidq.engine.listener;

import io.acidq.config.EngineConfig;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The task that keeps the buffer of one queue filled: it learns of lanes with work, by wake-ups and by searches, and claims from them while the
 * buffer has capacity. Confined to its own thread.
 */
final class Poller implements PeriodicTask {

    /** Guards that stop claiming for longer make the poller requeue what waits. */
    private static final Duration LONG_STOP = Duration.ofSeconds(1);

    /** How long a suspect that was claimed for the first time may hold up its queue. */
    private static final Duration FIRST_SUSPECT_PATIENCE = Duration.ofSeconds(1);

    private static final int LARGEST_PATIENCE_SHIFT = 8;

    /** For so many times its patience a suspect that gave way is not claimed again. */
    private static final int PATIENCES_BETWEEN_TRIES = 2;

    private final QueueRow queue;
    private final Claimer claimer;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final WakeUps.PollerSignal signal;
    private final StartGuards guards;
    private final BooleanSupplier paused;
    private final EngineConfig config;
    private final ClaimStore claims;
    private final NodeContext node;
    private final OutcomeRecorder recorder;
    private final LaneSchedule lanes;
    private boolean reportedIgnoredKeys;

    /** The suspect that waits for running handlers to end, and since when it has been seen to. */
    private @Nullable Claim waitingSuspect;

    private long suspectWaitsSince;

    Poller(
            QueueRow queue,
            Claimer claimer,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            WakeUps.PollerSignal signal,
            StartGuards guards,
            BooleanSupplier paused,
            EngineConfig config,
            ClaimStore claims,
            NodeContext node,
            OutcomeRecorder recorder) {
        this.queue = queue;
        this.claimer = claimer;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.signal = signal;
        this.guards = guards;
        this.paused = paused;
        this.config = config;
        this.claims = claims;
        this.node = node;
        this.recorder = recorder;
        this.lanes = new LaneSchedule(node.nanoTime(), config.pollMinInterval(), config.pollMaxInterval());
    }

    @Override
    public String name() {
        return "poll-" + queue.name();
    }

    @Override
    public Duration runOnce() {
        if (!node.heartbeat().isFresh()) {
            return config.pollMaxInterval();
        }
        signal.setIdle(false); // a queue that is held up would not claim what the work finder finds
        if (guards.reportChanges()) {
            buffer.wake();
            lanes.searchSoon();
        }
        if (paused.getAsBoolean()) {
            requeueUnstarted();
            return config.pollMaxInterval(); // a wake-up comes when the pause ends
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
            lanes.stopWatching();
        }
        signal.setWaitsForCapacity(true);
        if (prefetch.freeCapacity(buffer, guards) == 0) {
            lanes.stopWatching();
            return waitForGuards(); // a wake-up comes when the buffer runs low, and the guards' own time ends the nap
        }
        signal.setWaitsForCapacity(false);
        if (claimed || !lanes.isEmpty()) {
            return Duration.ZERO;
        }
        signal.setIdle(true);
        return lanes.untilNext();
    }

    /** Messages that would have to wait for long are requeued, so that other nodes may run them. */
    private Duration claimNothing(GuardState stop) {
        lanes.stopWatching();
        if (stop.kind() == GuardState.Kind.BREAKER || stop.asksIn().compareTo(LONG_STOP) > 0) {
            requeueUnstarted();
        }
        return waitForGuards();
    }

    private void requeueUnstarted() {
        List<Claim> unstarted = buffer.removeUnstarted();
        if (unstarted.isEmpty()) {
            return;
        }
        try {
            claims.requeueIfClaimed(unstarted, Duration.ZERO);
        } catch (RuntimeException e) {
            node.reconcile().run(); // the buffer does not know of them any more
            throw e;
        }
    }

    private Duration waitForGuards() {
        return Duration.ofNanos(guards.nanosToWait(config.pollMaxInterval().toNanos()));
    }

    /**
     * Requeues a suspect that has waited for running handlers for too long, and says whether there was one. Nothing may start before a suspect, so
     * the queue stands still meanwhile. The patience grows with each claim in vain, and between two of them the queue goes on without the suspect.
     */
    private boolean requeueOverdueSuspect() {
        ClaimedMessage suspect = buffer.waitingSuspect();
        long now = node.nanoTime().getAsLong();
        if (suspect == null || !suspect.claim().equals(waitingSuspect)) {
            waitingSuspect = suspect == null ? null : suspect.claim();
            suspectWaitsSince = now;
            return false;
        }
        Duration patience = FIRST_SUSPECT_PATIENCE.multipliedBy(
                1L << Math.min(OutcomeRecorder.claimsWithoutAttempt(suspect), LARGEST_PATIENCE_SHIFT));
        if (now - suspectWaitsSince < patience.toNanos()
                || buffer.remove(suspect).isEmpty()) {
            return false;
        }
        waitingSuspect = null;
        recorder.requeueSuspect(suspect, patience.multipliedBy(PATIENCES_BETWEEN_TRIES));
        return true;
    }

    /** One round over the lanes known to hold work. Searches for others when none is known, and now and then while some are. */
    private int fillBuffer() {
        takeWakeUps();
        lanes.endElapsedWaits();
        if (lanes.isSearchDue()) {
            findLanes();
        }
        int claimed = 0;
        for (int left = lanes.size(); left > 0 && !lanes.isEmpty(); left--) {
            int capacity = prefetch.freeCapacity(buffer, guards);
            if (capacity == 0 || paused.getAsBoolean()) { // the search may have taken long
                break;
            }
            claimed += claimFrom(lanes.next(), capacity);
            takeWakeUps();
        }
        return claimed;
    }

    private int claimFrom(int lane, int capacity) {
        long began = node.nanoTime().getAsLong();
        Claimed result = claimer.claim(lane, capacity, lanes.size() + 1);
        int got = result.messages().size();
        if (result.skippedOrdered() && !reportedIgnoredKeys) {
            reportedIgnoredKeys = true;
            node.telemetry().strategyIgnoresOrderingKeys(queue.name(), claimer.strategy());
        }
        if (got > 0) {
            Duration took = Duration.ofNanos(node.nanoTime().getAsLong() - began);
            signal.countClaim();
            prefetch.recordClaim(took);
            node.telemetry().claimed(queue.name(), got, took);
            lanes.claimedMessages(lane, result.leftover(), result.leftover() && isOneKey(result.messages()));
        } else if (result.leftover()) {
            lanes.claimedNothing(lane, result.nextDue(), !result.busy() && buffer.holdsKeysOfLane(lane));
        } else {
            lanes.wasEmpty(lane);
        }
        return got;
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
            lanes.foundByWorkFinder(found);
        }
        signal.takeNotified().forEach(lanes::notified);
        signal.takeWithFreedKey().forEach(lanes::keyFreed);
    }

    private void findLanes() {
        lanes.beginSearch();
        List<Integer> found = new ArrayList<>();
        for (Lane lane : claims.lanesWithWork(List.of(queue.id()))) {
            found.add(lane.lane());
        }
        Collections.shuffle(found); // so that nodes do not queue up at the same lanes
        lanes.found(found);
    }
}

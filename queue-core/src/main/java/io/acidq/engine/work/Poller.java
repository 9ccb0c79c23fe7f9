package io.acidq.engine.work;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Hints;
import io.acidq.engine.node.NodeParts;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Keeps the buffer of one queue filled: finds lanes with work, by hints and by looking, and claims from them while there is room.
 * Confined to its own thread, apart from the hints.
 */
final class Poller implements Duty {

    private static final Duration LONG_STOP = Duration.ofSeconds(1);

    private final QueueParts parts;
    private final EngineConfig config;
    private final ClaimStore claims;
    private final Claimer claimer;
    private final NodeParts node;
    private final Hints hints;
    private final LaneRests rests;
    private final SuspectPatience patience;
    private final KnownLanes lanes = new KnownLanes();
    private final Looks looks;
    private boolean toldOrdered;

    Poller(QueueParts parts, EngineConfig config, ClaimStore claims, NodeParts node, OutcomeRecorder recorder) {
        this.parts = parts;
        this.config = config;
        this.claims = claims;
        this.claimer = new Claimer(parts, claims, node);
        this.node = node;
        this.hints = parts.hints();
        this.rests = new LaneRests(node.nanoTime(), config.pollMax());
        this.looks = new Looks(node.nanoTime(), config.pollMin(), config.pollMax());
        this.patience = new SuspectPatience(parts.buffer(), recorder, node.nanoTime());
    }

    @Override
    public String name() {
        return "poll-" + parts.queue().name();
    }

    @Override
    public Duration runOnce() {
        if (!node.heart().isFresh()) {
            return config.pollMax();
        }
        hints.hungry(false); // a queue that is held up would not claim what the lookout finds
        if (parts.guards().tellChanges()) {
            parts.buffer().wake();
            looks.soon();
        }
        if (parts.isPaused()) {
            giveBackUnstarted();
            return config.pollMax(); // woken when the pause ends
        }
        GuardState stop = parts.guards().stop();
        if (stop != null) {
            return standStill(stop);
        }
        if (patience.end()) {
            hints.everyLane(); // suspects of other lanes may be claimed now
        }
        boolean claimed = fillBuffer() > 0;
        if (claimed) {
            looks.unwatched();
        }
        hints.wantsRoom(true);
        if (parts.room() == 0) {
            looks.unwatched();
            return nap(); // woken when the buffer runs low, or by the guards' own time
        }
        hints.wantsRoom(false);
        if (claimed || !lanes.isEmpty()) {
            return Duration.ZERO;
        }
        hints.hungry(true);
        return rests.untilNext(looks.untilNext());
    }

    /** Claims nothing; what waits goes back when it would have to wait for long, so that other nodes may run it. */
    private Duration standStill(GuardState stop) {
        looks.unwatched();
        if (stop.kind() == GuardState.Kind.BREAKER || stop.asksIn().compareTo(LONG_STOP) > 0) {
            giveBackUnstarted();
        }
        return nap();
    }

    private void giveBackUnstarted() {
        List<Claim> unstarted = parts.buffer().removeUnstarted();
        if (unstarted.isEmpty()) {
            return;
        }
        try {
            claims.giveBackIfClaimed(unstarted, Duration.ZERO);
        } catch (RuntimeException e) {
            node.reconcile().run(); // the buffer knows of them no more
            throw e;
        }
    }

    private Duration nap() {
        return Duration.ofNanos(parts.guards().nap(config.pollMax().toNanos()));
    }

    /** One round over the lanes known to hold work; looks for others when none is known, and now and then while some are. */
    private int fillBuffer() {
        takeHints();
        rests.rested().forEach(lanes::found);
        if (looks.isTime(!lanes.isEmpty())) {
            look();
        }
        int claimed = 0;
        for (int left = lanes.size(); left > 0 && !lanes.isEmpty(); left--) {
            int room = parts.room();
            if (room == 0 || parts.isPaused()) { // a look may have taken long
                break;
            }
            claimed += claimFrom(lanes.next(), room);
            takeHints();
        }
        return claimed;
    }

    private int claimFrom(int lane, int room) {
        long began = node.nanoTime().getAsLong();
        Claimed result = claimer.claim(lane, room, lanes.size() + 1);
        int got = result.messages().size();
        if (result.ordered() && !toldOrdered) {
            toldOrdered = true;
            node.telemetry().leftOrdered(parts.queue().name(), parts.strategy());
        }
        if (got == 0 && result.leftover()) {
            rests.rest(lane, result.nextDue(), !result.busy() && parts.buffer().holdsKeysOf(lane));
            return 0;
        }
        rests.forget(lane);
        if (got > 0) {
            Duration took = Duration.ofNanos(node.nanoTime().getAsLong() - began);
            looks.ledTo(lane);
            hints.claimed();
            parts.pace().claimed(took);
            node.telemetry().claimed(parts.queue().name(), got, took);
        }
        if (result.leftover() && isOneKey(result.messages()) && rests.gaveNothingOfLate(lane)) {
            rests.restAfterOneKey(lane); // what is left is most likely of that key
        } else if (result.leftover()) {
            lanes.found(lane);
        }
        return got;
    }

    private static boolean isOneKey(List<ClaimedMessage> messages) {
        return messages.size() > 1
                && messages.get(0).orderKey() != null
                && messages.stream().map(ClaimedMessage::orderKey).distinct().count() == 1;
    }

    private void takeHints() {
        if (hints.takeEveryLane()) {
            rests.clear();
            looks.soon();
            parts.buffer().wake();
        }
        Set<Integer> found = hints.takeFound();
        if (!found.isEmpty()) {
            looks.lookoutLooked();
            found.forEach(this::see);
        }
        hints.takeLanes().forEach(lane -> {
            looks.told(lane);
            lanes.told(lane);
        });
        hints.takeFreed().forEach(this::freed);
    }

    /** A lane that had nothing else is as one told of; one that gives of its only key time after time must not overtake the others. */
    private void freed(Integer lane) {
        if (rests.gaveNothing(lane)) {
            lanes.told(lane);
        } else if (rests.isResting(lane)) {
            lanes.found(lane);
        }
    }

    private void see(Integer lane) {
        if (!rests.isResting(lane)) {
            looks.saw(lane);
            lanes.found(lane);
        }
    }

    private void look() {
        looks.begin();
        List<Integer> found = new ArrayList<>();
        claims.lanesWithWork(List.of(parts.queue().id())).forEach(l -> found.add(l.lane()));
        Collections.shuffle(found); // so that nodes do not queue up at the same lanes
        found.forEach(this::see);
    }
}

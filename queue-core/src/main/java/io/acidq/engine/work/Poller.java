package io.acidq.engine.work;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Hints;
import io.acidq.engine.node.NodeParts;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Keeps the buffer of one queue filled: finds lanes with work, by hints and by looking, and claims from them while there is room.
 * Looks often while there is work, ever more seldom when idle. Confined to its own thread, apart from the hints.
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
    private final Deque<Integer> lanes = new ArrayDeque<>();
    private Duration idle;
    private long nextLook;
    private boolean toldOrdered;

    Poller(QueueParts parts, EngineConfig config, ClaimStore claims, NodeParts node, Judge judge) {
        this.parts = parts;
        this.config = config;
        this.claims = claims;
        this.claimer = new Claimer(parts, claims, node);
        this.node = node;
        this.hints = parts.hints();
        this.rests = new LaneRests(node.nanoTime(), config.pollMax());
        this.idle = config.pollMin();
        this.nextLook = node.nanoTime().getAsLong();
        this.patience = new SuspectPatience(parts.buffer(), judge, node.nanoTime());
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
            lookSoon();
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
            lookSoon();
        }
        if (parts.room() == 0) {
            return nap(); // woken when the buffer runs low, or by the guards' own time
        }
        if (claimed) {
            return Duration.ZERO;
        }
        hints.hungry(true);
        long untilLook = Math.max(0, nextLook - node.nanoTime().getAsLong());
        return rests.untilNext(isDormant() ? config.pollMax() : Duration.ofNanos(untilLook));
    }

    /** Claims nothing; what waits goes back when it would have to wait for long, so that other nodes may run it. */
    private Duration standStill(GuardState stop) {
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

    /** One round over the lanes known to hold work; finds them anew when none is known. */
    private int fillBuffer() {
        takeHints();
        rests.rested().forEach(this::last);
        if (lanes.isEmpty() && !isDormant() && nextLook - node.nanoTime().getAsLong() <= 0) {
            discover();
        }
        int claimed = 0;
        for (int left = lanes.size(); left > 0 && !lanes.isEmpty(); left--) {
            int room = parts.room();
            if (room == 0) {
                break;
            }
            claimed += claimFrom(lanes.removeFirst(), room);
            takeHints();
        }
        return claimed;
    }

    private int claimFrom(int lane, int room) {
        Claimed result = claimer.claim(lane, room, lanes.size() + 1);
        int got = result.messages().size();
        if (result.ordered() && !toldOrdered) {
            toldOrdered = true;
            node.telemetry().leftOrdered(parts.queue().name(), parts.strategy());
        }
        if (got == 0 && result.leftover()) {
            rests.rest(lane, result.nextDue());
            return 0;
        }
        rests.forget(lane);
        if (got > 0) {
            node.telemetry().claimed(parts.queue().name(), got);
        }
        if (result.leftover()) {
            last(lane);
        }
        return got;
    }

    private void takeHints() {
        if (hints.takeEveryLane()) {
            rests.clear();
            lookSoon();
            parts.buffer().wake();
        }
        hints.takeFound().stream().filter(lane -> !rests.isResting(lane)).forEach(this::last);
        hints.takeLanes().forEach(this::first);
        hints.takeFreed().stream().filter(rests::gaveNothing).forEach(this::first);
    }

    private void first(Integer lane) {
        lanes.remove(lane);
        lanes.addFirst(lane);
    }

    private void last(Integer lane) {
        if (!lanes.contains(lane)) {
            lanes.addLast(lane);
        }
    }

    /** Looks for lanes with work; each look that led to nothing makes the time until the next one longer. */
    private void discover() {
        nextLook = node.nanoTime().getAsLong() + idle.toNanos();
        Duration longer = idle.multipliedBy(2);
        idle = longer.compareTo(config.pollMax()) > 0 ? config.pollMax() : longer;
        List<Integer> found = new ArrayList<>();
        claims.lanesWithWork(List.of(parts.queue().id())).forEach(l -> found.add(l.lane()));
        found.removeIf(rests::isResting);
        Collections.shuffle(found); // so that nodes do not queue up at the same lanes
        lanes.addAll(found);
    }

    /** After a while without work it leaves looking to the lookout, which looks once for all queues. */
    private boolean isDormant() {
        return idle.compareTo(config.pollMax()) >= 0;
    }

    private void lookSoon() {
        idle = config.pollMin();
        nextLook = node.nanoTime().getAsLong();
    }
}

package io.acidq.engine;

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

    private final String queueName;
    private final int queue;
    private final EngineConfig config;
    private final ClaimStore claims;
    private final Claimer claimer;
    private final Buffer buffer;
    private final Pace pace;
    private final NodeParts node;
    private final Hints hints;
    private final LaneRests rests;
    private final Deque<Integer> lanes = new ArrayDeque<>();
    private Duration idle;

    Poller(QueueParts parts, EngineConfig config, ClaimStore claims, NodeParts node) {
        this.queueName = parts.queue().name();
        this.queue = parts.queue().id();
        this.config = config;
        this.claims = claims;
        this.claimer = new Claimer(queue, claims, node, parts.buffer());
        this.buffer = parts.buffer();
        this.pace = parts.pace();
        this.node = node;
        this.hints = parts.hints();
        this.rests = new LaneRests(node.nanoTime(), config.pollMax());
        this.idle = config.pollMin();
    }

    @Override
    public String name() {
        return "poll-" + queueName;
    }

    @Override
    public Duration runOnce() {
        if (!node.heart().isFresh()) {
            return config.pollMax();
        }
        int claimed = fillBuffer();
        if (room() <= 0) {
            idle = config.pollMin();
            return config.pollMax(); // woken when the buffer runs low
        }
        if (claimed > 0) {
            idle = config.pollMin();
            return Duration.ZERO;
        }
        Duration wait = rests.untilNext(idle);
        idle = idle.multipliedBy(2).compareTo(config.pollMax()) > 0 ? config.pollMax() : idle.multipliedBy(2);
        return wait;
    }

    /** One round over the lanes known to hold work; finds them anew when none is known. */
    private int fillBuffer() {
        takeHints();
        if (lanes.isEmpty()) {
            discover();
        }
        int claimed = 0;
        int room = room();
        while (room > 0 && !lanes.isEmpty()) {
            int lane = lanes.removeFirst();
            int got = claimFrom(lane, Math.min(room, Pace.CLAIM_LIMIT));
            claimed += got;
            room -= got;
            takeHints();
        }
        return claimed;
    }

    private int claimFrom(int lane, int limit) {
        Claimed result = claimer.claim(lane, limit);
        int got = result.messages().size();
        if (got > 0) {
            node.telemetry().claimed(queueName, got);
            rests.gave(lane);
            if (result.leftover()) {
                lanes.addLast(lane);
            }
        } else if (result.leftover()) {
            rests.rest(lane, result.nextDue());
        }
        return got;
    }

    private void takeHints() {
        if (hints.takeEveryLane()) {
            rests.clear();
        }
        hints.takeLanes().forEach(this::first);
        hints.takeFreed().stream().filter(rests::gaveNothing).forEach(this::first);
    }

    private void first(Integer lane) {
        lanes.remove(lane);
        lanes.addFirst(lane);
    }

    private void discover() {
        List<Integer> found = new ArrayList<>(claims.lanesWithWork(queue));
        found.removeIf(rests::isResting);
        Collections.shuffle(found); // so that nodes do not queue up at the same lanes
        lanes.addAll(found);
    }

    private int room() {
        int ahead = pace.ahead();
        int missing = ahead - buffer.waiting();
        return missing * 2 >= ahead ? missing : 0;
    }
}

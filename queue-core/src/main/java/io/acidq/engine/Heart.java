package io.acidq.engine;

import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The node's life in the database: registers, beats, and registers anew when it finds itself buried. Time is the monotonic
 * clock of this process; nobody's wall clock is asked.
 */
final class Heart implements Duty {

    /** Nothing starts when the last successful beat is older than this many beats. */
    private static final int STALE_BEATS = 3;

    private final NodeStore nodes;
    private final Supplier<NodeRow> self;
    private final Duration beat;
    private final LongSupplier nanoTime;
    private final IntConsumer onBuried;
    private final Telemetry telemetry;

    private volatile int node;
    private volatile long lastBeat;

    Heart(
            NodeStore nodes,
            Supplier<NodeRow> self,
            Duration beat,
            LongSupplier nanoTime,
            IntConsumer onBuried,
            Telemetry telemetry) {
        this.nodes = nodes;
        this.self = self;
        this.beat = beat;
        this.nanoTime = nanoTime;
        this.onBuried = onBuried;
        this.telemetry = telemetry;
    }

    /** The number of the present incarnation; 0 before the first. */
    int node() {
        return node;
    }

    /** Whether claims of this incarnation may be made and started now. */
    boolean isFresh() {
        return node != 0 && nanoTime.getAsLong() - lastBeat < STALE_BEATS * beat.toNanos();
    }

    /** Whether work claimed by this owner may start now. */
    boolean mayStart(int owner) {
        return owner == node && isFresh();
    }

    @Override
    public String name() {
        return "heartbeat";
    }

    @Override
    public Duration runOnce() {
        long asked = nanoTime.getAsLong(); // before the beat: the answer may have been long under way
        if (node != 0 && !nodes.beatIfAlive(node)) {
            int buried = node;
            node = 0;
            telemetry.buried(buried);
            onBuried.accept(buried);
        }
        if (node == 0) {
            int fresh = nodes.register(self.get());
            lastBeat = asked;
            node = fresh;
            telemetry.registered(fresh);
        }
        lastBeat = asked;
        return beat;
    }

    /** Takes the node off the living, in good order. */
    void retire() {
        int last = node;
        node = 0;
        if (last != 0) {
            nodes.retire(last);
        }
    }
}

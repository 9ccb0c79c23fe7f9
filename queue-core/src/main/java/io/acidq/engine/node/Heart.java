package io.acidq.engine.node;

import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Stillness;
import io.acidq.engine.duty.Trouble;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node's life in the database: registers, beats, and registers anew when it finds itself buried. Time is the monotonic
 * clock of this process; nobody's wall clock is asked.
 */
public final class Heart implements Duty {

    /** Nothing starts when the last successful beat is older than this many beats. */
    private static final int STALE_BEATS = 3;

    private final NodeStore nodes;
    private final Supplier<NodeRow> self;
    private final Duration beat;
    private final LongSupplier nanoTime;
    private final IntConsumer onBuried;
    private final DatabaseWatch watch;
    private final Telemetry telemetry;
    private final Stillness stillness;

    private volatile int node;
    private volatile long lastBeat;
    private int failures;
    private @Nullable NodeRow told;

    public Heart(
            NodeStore nodes,
            Supplier<NodeRow> self,
            Duration beat,
            IntConsumer onBuried,
            DatabaseWatch watch,
            Telemetry telemetry) {
        this.nodes = nodes;
        this.self = self;
        this.beat = beat;
        this.nanoTime = watch.nanoTime();
        this.onBuried = onBuried;
        this.watch = watch;
        this.telemetry = telemetry;
        this.stillness = new Stillness(nanoTime);
    }

    /** The number of the present incarnation; 0 before the first. */
    public int node() {
        return node;
    }

    /** Whether claims of this incarnation may be made and started now. */
    public boolean isFresh() {
        return node != 0 && watch.letsWork() && nanoTime.getAsLong() - lastBeat < STALE_BEATS * beat.toNanos();
    }

    /** Whether work claimed by this owner may start now. */
    public boolean mayStart(int owner) {
        return owner == node && isFresh();
    }

    @Override
    public String name() {
        return "heartbeat";
    }

    /** What its own beats do not disturb. */
    public Stillness stillness() {
        return stillness;
    }

    DatabaseWatch watch() {
        return watch;
    }

    /** After a failure not later than the next beat would have been: others count them. */
    @Override
    public Duration runOnce() {
        try {
            beat();
            failures = 0;
            return beat;
        } catch (RuntimeException e) {
            watch.noBeat(e);
            return Trouble.backOff(failures++, beat);
        }
    }

    /** Beats once, as the node that it then is. */
    public void beat() {
        long asked = nanoTime.getAsLong(); // before the beat: the answer may have been long under way
        if (node != 0 && !beatIfAlive()) {
            int buried = node;
            node = 0;
            telemetry.buried(buried);
            onBuried.accept(buried);
        }
        if (node == 0) {
            NodeRow row = self.get();
            int fresh = nodes.register(row);
            told = row;
            lastBeat = asked;
            node = fresh;
            telemetry.registered(fresh);
        }
        lastBeat = asked;
        watch.beat();
        tell();
    }

    private boolean beatIfAlive() {
        boolean beaten = false;
        stillness.beatBegins();
        try {
            beaten = nodes.beatIfAlive(node);
            return beaten;
        } finally {
            stillness.beatEnds(beaten);
        }
    }

    /** By the thread and on the connection that beats: nobody else writes the row, so nothing older goes over what is newer. */
    private void tell() {
        NodeRow row = self.get();
        if (!row.equals(told) && nodes.serveIfAlive(node, row.workers())) {
            told = row;
        }
    }

    /** Takes the node off the living, in good order. */
    public void retire() {
        int last = node;
        node = 0;
        if (last != 0) {
            nodes.retire(last);
        }
    }
}

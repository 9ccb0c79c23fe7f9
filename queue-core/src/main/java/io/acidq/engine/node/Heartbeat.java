package io.acidq.engine.node;

import io.acidq.engine.loop.CommitTracker;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of this node in the database. It registers, writes a heartbeat at each interval, and registers anew when it finds that others have
 * declared it dead. Time is the monotonic clock of this process; no wall clock takes part.
 */
public final class Heartbeat implements PeriodicTask {

    /** Nothing starts when the last successful heartbeat is older than this many intervals. */
    private static final int STALE_INTERVALS = 3;

    private final NodeStore nodes;
    private final Supplier<NodeRow> self;
    private final Duration interval;
    private final LongSupplier nanoTime;
    private final IntConsumer onDeclaredDead;
    private final DatabaseMonitor database;
    private final Telemetry telemetry;
    private final CommitTracker commitTracker;

    private volatile int node;
    private volatile long lastSent;
    private int failures;
    private @Nullable NodeRow written;

    /**
     * The heartbeat of a node that is not yet registered.
     *
     * @param self           what other nodes are to know of this one
     * @param onDeclaredDead gets the number under which this node was declared dead
     */
    public Heartbeat(
            NodeStore nodes,
            Supplier<NodeRow> self,
            Duration interval,
            IntConsumer onDeclaredDead,
            DatabaseMonitor database,
            Telemetry telemetry) {
        this.nodes = nodes;
        this.self = self;
        this.interval = interval;
        this.nanoTime = database.nanoTime();
        this.onDeclaredDead = onDeclaredDead;
        this.database = database;
        this.telemetry = telemetry;
        this.commitTracker = new CommitTracker(nanoTime);
    }

    /** The number of the present incarnation; 0 before the first, and between two. */
    public int node() {
        return node;
    }

    /** Whether claims of this incarnation may be made and started now. */
    public boolean isFresh() {
        return node != 0
                && database.letsWork()
                && nanoTime.getAsLong() - lastSent < STALE_INTERVALS * interval.toNanos();
    }

    /** Whether work claimed by this owner may start now. */
    public boolean mayStart(int owner) {
        return owner == node && isFresh();
    }

    /** The commits of others, which the heartbeats do not disturb. */
    public CommitTracker commitTracker() {
        return commitTracker;
    }

    DatabaseMonitor database() {
        return database;
    }

    @Override
    public String name() {
        return "heartbeat";
    }

    /** After a failure it comes back not later than the next heartbeat would have been: other nodes count them. */
    @Override
    public Duration runOnce() {
        try {
            send();
            failures = 0;
            return interval;
        } catch (RuntimeException e) {
            database.heartbeatFailed(e);
            return FailureTracker.backoff(failures++, interval);
        }
    }

    /** Writes one heartbeat. A node that was declared dead drops its claims and registers first. */
    public void send() {
        long asked = nanoTime.getAsLong(); // before the heartbeat: the answer may have been long under way
        if (node != 0 && !sendIfAlive()) {
            int dead = node;
            node = 0;
            telemetry.declaredDead(dead);
            onDeclaredDead.accept(dead);
        }
        if (node == 0) {
            register(asked);
        }
        lastSent = asked;
        database.heartbeatWorked();
        updateRow();
    }

    private boolean sendIfAlive() {
        boolean written = false;
        commitTracker.heartbeatBegins();
        try {
            written = nodes.heartbeatIfAlive(node);
            return written;
        } finally {
            commitTracker.heartbeatEnds(written);
        }
    }

    private void register(long asked) {
        NodeRow row = self.get();
        int fresh = nodes.register(row);
        written = row;
        lastSent = asked; // before the number is seen: it must not look stale
        node = fresh;
        telemetry.registered(fresh);
    }

    /** Only the thread and the connection of the heartbeat write the row, so that nothing older overwrites what is newer. */
    private void updateRow() {
        NodeRow row = self.get();
        if (!row.equals(written) && nodes.updateWorkersIfAlive(node, row.workers())) {
            written = row;
        }
    }

    /** Signs the node off, in good order. */
    public void retire() {
        int retiring = node;
        node = 0;
        if (retiring != 0) {
            nodes.retire(retiring);
        }
    }

    /** A task that finds out that the heartbeat's thread waits, which that thread cannot notice itself. It asks no database. */
    public PeriodicTask stallCheck() {
        return new StallCheck();
    }

    private final class StallCheck implements PeriodicTask {

        @Override
        public String name() {
            return "stall-check";
        }

        @Override
        public Duration runOnce() {
            database.checkHeartbeat();
            return interval;
        }
    }
}

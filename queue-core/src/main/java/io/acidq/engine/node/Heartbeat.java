package io.acidq.engine.node;

import io.acidq.engine.loop.CommitTracker;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat of this node. It registers the node, writes a heartbeat at each interval, and registers the node again when another node has declared it dead,
 * or when its row is gone. It measures time by the monotonic clock of this process.
 */
public final class Heartbeat implements PeriodicTask {

    /** No message starts when the last successful heartbeat is older than this many intervals. */
    private static final int STALE_INTERVALS = 3;

    private final NodeStore nodes;
    private final Supplier<NodeRow> nodeRow;
    private final Duration interval;
    private final LongSupplier nanoTime;
    private final IntConsumer onEnd;
    private final DatabaseMonitor database;
    private final Telemetry telemetry;
    private final CommitTracker commitTracker;

    private volatile int node;
    private volatile long lastSent;
    private int failures;
    private Map<Integer, Integer> writtenWorkers = Map.of();
    private volatile @Nullable UUID registrationId;

    /**
     * The heartbeat of a node that is not yet registered.
     *
     * @param nodeRow        returns what other nodes read about this one
     * @param onEnd          gets the number of this node when it was declared dead, or when its row is gone
     */
    public Heartbeat(
            NodeStore nodes,
            Supplier<NodeRow> nodeRow,
            Duration interval,
            IntConsumer onEnd,
            DatabaseMonitor database,
            Telemetry telemetry) {
        this.nodes = nodes;
        this.nodeRow = nodeRow;
        this.interval = interval;
        this.nanoTime = database.nanoTime();
        this.onEnd = onEnd;
        this.database = database;
        this.telemetry = telemetry;
        this.commitTracker = new CommitTracker(nanoTime);
    }

    /** Returns the number of the node; 0 while it is not registered. */
    public int node() {
        return node;
    }

    /** Returns whether the node may claim and start messages now. */
    public boolean isFresh() {
        return node != 0
                && database.letsWork()
                && nanoTime.getAsLong() - lastSent < STALE_INTERVALS * interval.toNanos();
    }

    /** Returns whether messages claimed by this owner may start now. */
    public boolean mayStart(int owner) {
        return owner == node && isFresh();
    }

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

    /** Writes one heartbeat. After a failure it runs again no later than the next heartbeat would have: other nodes count the heartbeats. */
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

    /** Writes one heartbeat. If the node was declared dead, or its row is gone, it drops its claims and registers again. */
    public void send() {
        long sent = nanoTime.getAsLong(); // before the statement: its answer may come late
        if (node != 0 && !sendIfAlive()) {
            int ended = node;
            boolean registered = nodes.isRegistered(ended, registrationId());
            node = 0;
            if (registered) {
                telemetry.declaredDead(ended);
            } else {
                telemetry.rowsMissing("node " + ended + " (this engine) in acidq_node");
            }
            onEnd.accept(ended);
        }
        if (node == 0) {
            register(sent);
        }
        lastSent = sent;
        database.heartbeatWorked();
        updateRow();
    }

    private boolean sendIfAlive() {
        boolean alive = false;
        commitTracker.heartbeatBegins();
        try {
            alive = nodes.heartbeatIfAlive(node, registrationId());
            return alive;
        } finally {
            commitTracker.heartbeatEnds(alive);
        }
    }

    private void register(long sent) {
        NodeRow row = nodeRow.get();
        int number = nodes.register(row);
        registrationId = row.registrationId();
        writtenWorkers = row.workers();
        lastSent = sent; // before other threads see the number, so that it is not stale for them
        node = number;
        telemetry.registered(number);
    }

    /** Updates the row of the node. Only the thread and the connection of the heartbeat write it, so that no older value overwrites a newer one. */
    private void updateRow() {
        Map<Integer, Integer> workers = nodeRow.get().workers();
        if (!workers.equals(writtenWorkers) && nodes.updateWorkersIfAlive(node, registrationId(), workers)) {
            writtenWorkers = workers;
        }
    }

    private UUID registrationId() {
        return Objects.requireNonNull(registrationId);
    }

    /** Marks the node as stopped. */
    public void markStopped() {
        int stopping = node;
        node = 0;
        if (stopping != 0) {
            nodes.markStopped(stopping, registrationId());
        }
    }

    /** Returns a task that detects a heartbeat whose thread is blocked. It uses no connection. */
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

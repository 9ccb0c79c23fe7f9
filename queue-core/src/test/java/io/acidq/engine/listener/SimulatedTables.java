package io.acidq.engine.listener;

import io.acidq.TransientQueueException;
import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows that all simulated nodes share. A lock that another transaction holds is a lock timeout at once, since
 * everything runs on one thread.
 */
final class SimulatedTables {

    final StoreFlaw storeFlaw;
    final Random random;
    final LongSupplier now;
    final SimulationAuditor simulationAuditor;
    final TreeMap<Long, SimulatedRow> hot = new TreeMap<>();
    final List<SimulatedRow> scheduled = new ArrayList<>();

    /** The heartbeats of the living nodes. */
    final Map<Integer, Long> living = new HashMap<>();

    /** The largest claimed id, by lane. */
    final Map<Integer, Long> lastClaimed = new HashMap<>();

    final Set<Integer> rescuing = new HashSet<>();
    boolean paused;
    private long lastId;
    private int lastNode;

    /** Runs between the read and the write of a transaction. */
    Runnable meanwhile = () -> {};

    SimulatedTables(StoreFlaw storeFlaw, Random random, LongSupplier now, SimulationAuditor simulationAuditor) {
        this.storeFlaw = storeFlaw;
        this.random = random;
        this.now = now;
        this.simulationAuditor = simulationAuditor;
    }

    /** The context of a node over these tables that has not registered. */
    NodeContext newNode(Telemetry telemetry) {
        Duration interval = EngineConfig.defaults().heartbeatInterval();
        DatabaseMonitor databaseMonitor = new DatabaseMonitor(interval, now, telemetry);
        databaseMonitor.reset(DatabaseState.UP);
        NodeRow self = new NodeRow(Map.of(), "host", "test");
        Heartbeat heartbeat = new Heartbeat(
                new SimulatedNodes(this, 1), () -> self, interval, dead -> {}, databaseMonitor, telemetry);
        return new NodeContext(
                heartbeat,
                new NodeContext.OpenClaims(),
                new NodeContext.SuspectSlot(),
                new NodeContext.CancelRequests(),
                () -> {},
                now,
                new HistoryCounters(false),
                telemetry);
    }

    long nextId() {
        return ++lastId;
    }

    int nextNode() {
        return ++lastNode;
    }

    /** Returns the row of a claim; null when the claim does not hold. Fails when the row is locked. */
    @Nullable
    SimulatedRow held(Claim claim) {
        SimulatedRow row = hot.get(claim.id());
        if (row != null && row.lock != null) {
            throw failure(1205);
        }
        return row != null && holds(row, claim) ? row : null;
    }

    /** Returns the row of a claim; null when the claim does not hold or the row is locked. */
    @Nullable
    SimulatedRow heldAndUnlocked(Claim claim) {
        SimulatedRow row = hot.get(claim.id());
        return row != null && row.lock == null && holds(row, claim) ? row : null;
    }

    private boolean holds(SimulatedRow row, Claim claim) {
        Claim now = row.claim();
        return now.equals(claim) || (storeFlaw == StoreFlaw.FENCE_WITHOUT_OWNER && now.claimNo() == claim.claimNo());
    }

    /** Returns the rows of a lane in the order of their ids. */
    List<SimulatedRow> ofLane(int lane) {
        long after = storeFlaw == StoreFlaw.LOW_WATER_ID ? lastClaimed.getOrDefault(lane, 0L) : 0;
        return hot.tailMap(after, false).values().stream()
                .filter(r -> r.lane == lane)
                .toList();
    }

    void toHot(SimulatedRow row, long id) {
        row.id = id;
        hot.put(id, row);
    }

    void toDead(SimulatedRow row, String lastError) {
        hot.remove(row.id);
        simulationAuditor.deadLettered(row, lastError);
    }

    static TransientQueueException failure(int code) {
        return new TransientQueueException("simulated", new SQLException("simulated", "HY000", code));
    }
}

package io.acidq.engine.listener;

import io.acidq.TransientQueueException;
import io.acidq.store.Claim;
import java.sql.SQLException;
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

/** The rows that all simulated nodes share. A lock that somebody else holds is a lock timeout at once: everything runs on one thread. */
final class SimulatedTables {

    final StoreFlaw storeFlaw;
    final Random random;
    final LongSupplier now;
    final SimulationAuditor simulationAuditor;
    final TreeMap<Long, SimulatedRow> hot = new TreeMap<>();
    final List<SimulatedRow> scheduled = new ArrayList<>();

    /** The heartbeats of those that live. */
    final Map<Integer, Long> living = new HashMap<>();

    /** By lane. */
    final Map<Integer, Long> lastClaimed = new HashMap<>();

    final Set<Integer> rescuing = new HashSet<>();
    boolean paused;
    private long lastId;
    private int lastNode;

    /** What others do between the read and the write of a transaction. */
    Runnable meanwhile = () -> {};

    SimulatedTables(StoreFlaw storeFlaw, Random random, LongSupplier now, SimulationAuditor simulationAuditor) {
        this.storeFlaw = storeFlaw;
        this.random = random;
        this.now = now;
        this.simulationAuditor = simulationAuditor;
    }

    long nextId() {
        return ++lastId;
    }

    int nextNode() {
        return ++lastNode;
    }

    /** The row of a claim that stands so; null when it does not. Does not wait for its lock. */
    @Nullable
    SimulatedRow held(Claim claim) {
        SimulatedRow row = hot.get(claim.id());
        if (row != null && row.lock != null) {
            throw failure(1205);
        }
        return row != null && stands(row, claim) ? row : null;
    }

    /** The same for those who skip what is locked. */
    @Nullable
    SimulatedRow heldAndUnlocked(Claim claim) {
        SimulatedRow row = hot.get(claim.id());
        return row != null && row.lock == null && stands(row, claim) ? row : null;
    }

    private boolean stands(SimulatedRow row, Claim claim) {
        Claim now = row.claim();
        return now.equals(claim) || (storeFlaw == StoreFlaw.FENCE_WITHOUT_OWNER && now.claimNo() == claim.claimNo());
    }

    /** In order of their places. */
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

    void toDead(SimulatedRow row, String mark) {
        hot.remove(row.id);
        simulationAuditor.died(row, mark);
    }

    static TransientQueueException failure(int code) {
        return new TransientQueueException("simulated", new SQLException("simulated", "HY000", code));
    }
}

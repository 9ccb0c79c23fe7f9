package io.acidq.engine.listener;

import io.acidq.MessageId;
import io.acidq.store.Claim;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Heartbeats and the rescue of claims in the simulated store. */
final class SimulatedNodes implements NodeStore {

    private final SimulatedTables tables;
    private final int workers;

    SimulatedNodes(SimulatedTables tables, int workers) {
        this.tables = tables;
        this.workers = workers;
    }

    @Override
    public int register(NodeRow node) {
        int number = tables.nextNode();
        tables.living.put(number, 0L);
        return number;
    }

    @Override
    public boolean heartbeatIfAlive(int node, UUID registrationId) {
        return tables.living.computeIfPresent(node, (n, heartbeats) -> heartbeats + 1) != null;
    }

    @Override
    public boolean updateWorkersIfAlive(int node, UUID registrationId, Map<Integer, Integer> workersByQueue) {
        return tables.living.containsKey(node);
    }

    @Override
    public List<NodeHeartbeats> livingNodes() {
        return tables.living.entrySet().stream()
                .map(e -> new NodeHeartbeats(e.getKey(), e.getValue()))
                .toList();
    }

    @Override
    public boolean declareDeadIfSilent(NodeHeartbeats silent) {
        return tables.living.remove(silent.node(), silent.heartbeats());
    }

    @Override
    public void markStopped(int node, UUID registrationId) {
        tables.living.remove(node);
    }

    @Override
    public boolean isRegistered(int node, UUID registrationId) {
        return true; // no row is ever removed
    }

    @Override
    public List<Integer> endedOwners() {
        TreeSet<Integer> owners = new TreeSet<>();
        tables.hot.values().forEach(r -> owners.add(r.owner));
        owners.remove(0);
        owners.removeAll(tables.living.keySet());
        return tables.storeFlaw == StoreFlaw.RESCUE_NEVER ? List.of() : List.copyOf(owners);
    }

    @Override
    public List<RescueDecision> rescue(int endedOwner, Function<Orphans, List<RescueDecision>> decide) {
        if (tables.living.containsKey(endedOwner) || !tables.rescuing.add(endedOwner)) {
            return List.of();
        }
        try {
            List<Orphan> orphans = tables.hot.values().stream()
                    .filter(r -> r.owner == endedOwner
                            || (r.owner != 0 && tables.storeFlaw == StoreFlaw.RESCUE_BLIND_TO_OWNERS))
                    .map(SimulatedNodes::orphan)
                    .toList();
            Crash crash = new Crash(endedOwner, "host", SimulatedRow.at(tables.now.getAsLong()));
            List<RescueDecision> rescueDecisions =
                    decide.apply(new Orphans(Map.of(SimulatedRow.QUEUE, workers), orphans, crash, false));
            tables.meanwhile.run();
            List<RescueDecision> applied = new ArrayList<>();
            rescueDecisions.stream().filter(this::apply).forEach(applied::add);
            return applied;
        } finally {
            tables.rescuing.remove(endedOwner);
        }
    }

    private static Orphan orphan(SimulatedRow row) {
        return new Orphan(
                row.claim(),
                new MessageId("q", row.lane, row.uid),
                row.batch,
                row.orderingKey,
                row.crashes,
                List.of(),
                false);
    }

    private boolean apply(RescueDecision rescueDecision) {
        SimulatedRow row = row(rescueDecision.claim());
        if (row == null) {
            return false;
        }
        row.free(1, row.dueAt);
        row.crashes = rescueDecision.crashes();
        tables.simulationAuditor.note(row, "is rescued");
        if (rescueDecision.errorText() != null) {
            tables.toDead(row, rescueDecision.errorText());
        }
        return true;
    }

    private @Nullable SimulatedRow row(Claim claim) {
        return tables.storeFlaw == StoreFlaw.RESCUE_BY_ID ? tables.hot.get(claim.id()) : tables.heldAndUnlocked(claim);
    }

    @Override
    public void writeReport(int node, NodeReport report) {}

    @Override
    public void removeReport(int node) {}
}

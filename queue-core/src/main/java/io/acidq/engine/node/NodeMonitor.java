package io.acidq.engine.node;

import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The check of the other nodes: one whose count of heartbeats did not rise in so many checks in a row is declared dead. A check that came late,
 * for whatever reason, begins the counts anew, so that an outage, a pause or a step of a clock kills no node. This node judges no other while it
 * cannot write a heartbeat itself, nor until the others have had time to write one again.
 */
public final class NodeMonitor implements PeriodicTask {

    private final NodeStore nodes;
    private final Heartbeat heartbeat;
    private final EngineConfig config;
    private final DatabaseMonitor database;
    private final LongSupplier nanoTime;
    private final Runnable onNodeDeclaredDead;
    private final Telemetry telemetry;
    private final Map<Integer, HeartbeatCheck> heartbeatChecks = new HashMap<>();
    private long lastCheck;
    private boolean checked;

    /**
     * The check of all nodes but this one.
     *
     * @param onDeath runs after another node was declared dead
     */
    public NodeMonitor(NodeStore nodes, EngineConfig config, NodeContext node, Runnable onDeath) {
        this.nodes = nodes;
        this.heartbeat = node.heartbeat();
        this.config = config;
        this.database = node.database();
        this.nanoTime = node.nanoTime();
        this.onNodeDeclaredDead = onDeath;
        this.telemetry = node.telemetry();
    }

    @Override
    public String name() {
        return "node-monitor";
    }

    @Override
    public Duration runOnce() {
        long asked = nanoTime.getAsLong();
        Map<Integer, Long> living = new HashMap<>();
        nodes.livingNodes().forEach(b -> living.put(b.node(), b.heartbeats()));
        long answered = nanoTime.getAsLong();
        if (!checked
                || !database.isSettled()
                || answered - lastCheck > 2 * config.heartbeatInterval().toNanos()) {
            heartbeatChecks.clear();
        }
        checked = true;
        lastCheck = asked;
        heartbeatChecks.keySet().retainAll(living.keySet());
        living.forEach(this::check);
        return config.heartbeatInterval();
    }

    private void check(int node, long heartbeats) {
        HeartbeatCheck before = heartbeatChecks.get(node);
        int checks = before != null && before.heartbeats == heartbeats ? before.checks + 1 : 1;
        heartbeatChecks.put(node, new HeartbeatCheck(heartbeats, checks));
        if (checks >= config.missedHeartbeatsLimit()
                && node != heartbeat.node()
                && nodes.declareDeadIfSilent(new NodeHeartbeats(node, heartbeats))) {
            telemetry.nodeDeclaredDead(node);
            onNodeDeclaredDead.run();
        }
    }

    /** How many checks in a row saw the same count of heartbeats. */
    private record HeartbeatCheck(long heartbeats, int checks) {}
}

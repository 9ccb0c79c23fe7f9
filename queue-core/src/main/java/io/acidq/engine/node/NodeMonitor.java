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
 * Declares other nodes dead. A node is dead when its count of heartbeats has not increased in a number of checks in a row. A late check starts the counting
 * again, so that an outage, a pause of this process or a clock step declares no living node dead. No node is declared dead while this node cannot write
 * heartbeats, nor for some time afterwards, in which the others can write theirs again.
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
     * Creates the task.
     *
     * @param onNodeDeclaredDead runs after another node was declared dead
     */
    public NodeMonitor(NodeStore nodes, EngineConfig config, NodeContext node, Runnable onNodeDeclaredDead) {
        this.nodes = nodes;
        this.heartbeat = node.heartbeat();
        this.config = config;
        this.database = node.database();
        this.nanoTime = node.nanoTime();
        this.onNodeDeclaredDead = onNodeDeclaredDead;
        this.telemetry = node.telemetry();
    }

    @Override
    public String name() {
        return "node-monitor";
    }

    @Override
    public Duration runOnce() {
        long start = nanoTime.getAsLong();
        Map<Integer, Long> living = new HashMap<>();
        nodes.livingNodes().forEach(n -> living.put(n.node(), n.heartbeats()));
        long end = nanoTime.getAsLong();
        if (!checked
                || !database.isSettled()
                || end - lastCheck > 2 * config.heartbeatInterval().toNanos()) {
            heartbeatChecks.clear();
        }
        checked = true;
        lastCheck = start;
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

    /** The number of checks in a row that have seen this count of heartbeats. */
    private record HeartbeatCheck(long heartbeats, int checks) {}
}

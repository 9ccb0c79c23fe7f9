package io.acidq.engine.maintenance;

import io.acidq.config.EngineConfig;
import io.acidq.engine.listener.MessageBuffer;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.HeldClaim;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Checks the claims of this node: requeues messages that the node has claimed in the database and that are in none of its buffers. After a COMMIT
 * with an unknown outcome, a message would otherwise stay claimed while the node is alive. So would one of an earlier node that had the same number before
 * the tables were emptied.
 */
public final class Reconciler implements PeriodicTask {

    private static final int HEARTBEATS_BETWEEN_ROUNDS = 10;

    private final ClaimStore claims;
    private final EngineConfig config;
    private final NodeContext node;
    private final Supplier<Stream<MessageBuffer>> buffers;
    private final WakeUps wakeUps;

    public Reconciler(
            ClaimStore claims,
            EngineConfig config,
            NodeContext node,
            Supplier<Stream<MessageBuffer>> buffers,
            WakeUps wakeUps) {
        this.claims = claims;
        this.config = config;
        this.node = node;
        this.buffers = buffers;
        this.wakeUps = wakeUps;
    }

    @Override
    public String name() {
        return "reconciler";
    }

    @Override
    public Duration runOnce() {
        int owner = node.heartbeat().node();
        long firstOpenBatch = node.openClaims().firstOpenBatch(); // before the read: later claims are not checked
        if (owner != 0) {
            buffers.get().forEach(b -> b.forgetLateAnnounced(node.nanoTime().getAsLong()));
            List<HeldClaim> held = claims.claimedBy(owner);
            // after the read, so that it contains the claims that came into a buffer during the read
            Set<Claim> known = new HashSet<>();
            buffers.get().forEach(b -> known.addAll(b.knownClaims()));
            // after the read: a claim with a higher number is of an earlier node with the number of this one
            long lastBatch = node.openClaims().lastBatch();
            List<Claim> unknown = held.stream()
                    .filter(h -> h.batch() < firstOpenBatch || h.batch() > lastBatch)
                    .filter(h -> !known.contains(h.claim()))
                    .map(HeldClaim::claim)
                    .toList();
            int freed = unknown.isEmpty() ? 0 : claims.requeueIfClaimed(unknown, Duration.ZERO);
            if (freed > 0) {
                node.telemetry().reconciled(freed);
                wakeUps.wakeAllLanes();
            }
        }
        return config.heartbeatInterval().multipliedBy(HEARTBEATS_BETWEEN_ROUNDS);
    }
}

package io.acidq.engine.work;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Signals;
import io.acidq.engine.node.NodeParts;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.HeldClaim;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives back what the database says this node has claimed and nothing in it knows of: a claim or an end whose COMMIT had an
 * unknown outcome would otherwise stay claimed as long as the node lives.
 */
final class Reconciler implements Duty {

    private static final int BEATS_BETWEEN_ROUNDS = 10;

    private final ClaimStore claims;
    private final EngineConfig config;
    private final NodeParts node;
    private final Collection<Buffer> buffers;
    private final Signals signals;

    Reconciler(ClaimStore claims, EngineConfig config, NodeParts node, Collection<Buffer> buffers, Signals signals) {
        this.claims = claims;
        this.config = config;
        this.node = node;
        this.buffers = buffers;
        this.signals = signals;
    }

    @Override
    public String name() {
        return "reconciler";
    }

    @Override
    public Duration runOnce() {
        int owner = node.heart().node();
        long horizon = node.openClaims().horizon(); // before the read: what is claimed later is not looked at
        if (owner != 0) {
            buffers.forEach(b -> b.announced().forgetLate(node.nanoTime().getAsLong()));
            List<HeldClaim> held = claims.claimedBy(owner);
            Set<Claim> known = new HashSet<>(); // after the read: what was handed over meanwhile is known
            buffers.forEach(b -> known.addAll(b.known()));
            List<Claim> unknown = held.stream()
                    .filter(h -> h.batch() < horizon && !known.contains(h.claim()))
                    .map(HeldClaim::claim)
                    .toList();
            int freed = unknown.isEmpty() ? 0 : claims.giveBackIfClaimed(unknown, Duration.ZERO);
            if (freed > 0) {
                node.telemetry().reconciled(freed);
                signals.everywhere();
            }
        }
        return config.beat().multipliedBy(BEATS_BETWEEN_ROUNDS);
    }
}

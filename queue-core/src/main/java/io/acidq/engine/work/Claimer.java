package io.acidq.engine.work;

import io.acidq.engine.node.NodeParts;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;

/** Claims messages of one queue and hands them to its buffer. */
final class Claimer {

    private final int queue;
    private final Buffer buffer;
    private final Pace pace;
    private final ClaimStore claims;
    private final ClaimStrategy strategy;
    private final NodeParts node;

    Claimer(QueueParts parts, ClaimStore claims, NodeParts node) {
        this.queue = parts.queue().id();
        this.buffer = parts.buffer();
        this.pace = parts.pace();
        this.claims = claims;
        this.strategy = parts.strategy();
        this.node = node;
    }

    /**
     * Claims at the head of a lane; after an error the node looks for claims it does not know of.
     *
     * @param room  at most this many
     * @param lanes how many lanes are known to have work, this one included
     */
    Claimed claim(int lane, int room, int lanes) {
        int owner = node.heart().node();
        if (owner == 0) { // buried, and not yet registered anew: the claim would be nobody's, and its attempt lost
            return Claimed.BUSY;
        }
        long batch = node.openClaims().begin();
        boolean probation = node.probation().enter();
        boolean keepsProbation = false;
        try {
            Budget budget = pace.budget(room, lanes, probation);
            Claimed claimed = claims.claimDue(new ClaimRequest(queue, lane, owner, batch, budget, strategy));
            keepsProbation = claimed.messages().stream().anyMatch(ClaimedMessage::isSuspect);
            boolean plenty = claimed.leftover() && claimed.messages().size() == budget.messages();
            buffer.add(claimed.messages(), plenty);
            return claimed;
        } catch (RuntimeException e) {
            node.reconcile().run();
            throw e;
        } finally {
            node.openClaims().end(batch);
            if (probation && !keepsProbation) {
                node.probation().leave();
            }
        }
    }
}

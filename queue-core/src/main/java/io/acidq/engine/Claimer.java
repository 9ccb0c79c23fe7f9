package io.acidq.engine;

import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;

/** Claims messages of one queue and hands them to its buffer. */
final class Claimer {

    private final int queue;
    private final ClaimStore claims;
    private final NodeParts node;
    private final Buffer buffer;

    Claimer(int queue, ClaimStore claims, NodeParts node, Buffer buffer) {
        this.queue = queue;
        this.claims = claims;
        this.node = node;
        this.buffer = buffer;
    }

    /** Claims at most {@code limit} messages at the head of a lane; after an error the node looks for claims it does not know of. */
    Claimed claim(int lane, int limit) {
        long batch = node.openClaims().begin();
        boolean probation = node.probation().enter();
        boolean keepsProbation = false;
        try {
            Claimed claimed =
                    claims.claimDue(new ClaimRequest(queue, lane, node.heart().node(), batch, limit, probation));
            keepsProbation = claimed.messages().stream().anyMatch(ClaimedMessage::isSuspect);
            buffer.add(claimed.messages());
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

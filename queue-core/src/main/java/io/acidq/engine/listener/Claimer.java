package io.acidq.engine.listener;

import io.acidq.engine.node.NodeContext;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;

/** The claims of one queue: each puts the messages that it brings into the buffer. */
final class Claimer {

    private final int queue;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final ClaimStore claims;
    private final ClaimStrategy strategy;
    private final NodeContext node;

    Claimer(
            int queue,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            ClaimStore claims,
            ClaimStrategy strategy,
            NodeContext node) {
        this.queue = queue;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.claims = claims;
        this.strategy = strategy;
        this.node = node;
    }

    ClaimStrategy strategy() {
        return strategy;
    }

    /**
     * Claims at the head of a lane. After an error, the reconciler checks for claims that the node does not know of.
     *
     * @param capacity at most this many messages
     * @param lanes    how many lanes are known to have work, this one included
     */
    Claimed claim(int lane, int capacity, int lanes) {
        int owner = node.heartbeat().node();
        if (owner == 0) { // declared dead, and not yet registered anew: the claim would have no owner, and its attempt
            // would be lost
            return Claimed.BUSY;
        }
        long batch = node.openClaims().begin();
        boolean mayBeSuspect = node.suspectSlot().tryAcquire();
        boolean isSuspect = false;
        try {
            Budget budget = prefetch.budget(capacity, lanes, mayBeSuspect);
            Claimed claimed = claims.claimDue(new ClaimRequest(queue, lane, owner, batch, budget, strategy));
            isSuspect = claimed.messages().stream().anyMatch(ClaimedMessage::isSuspect);
            boolean plenty = claimed.leftover() && claimed.messages().size() == budget.messages();
            buffer.put(claimed.messages(), plenty);
            return claimed;
        } catch (RuntimeException e) {
            node.reconcile().run();
            throw e;
        } finally {
            node.openClaims().end(batch);
            if (mayBeSuspect && !isSuspect) {
                node.suspectSlot().release();
            }
        }
    }
}

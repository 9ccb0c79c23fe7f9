package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Claims messages of one queue for this node and puts them into the buffer, and requeues those that have not started.
 * After an error it wakes the reconciler, which finds the claims that the buffer does not know. Confined to the
 * poller's thread.
 */
final class Claimer {

    private final QueueRow queue;
    private final ClaimStrategy strategy;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final ClaimStore claims;
    private final NodeContext node;
    private boolean reportedIgnoredKeys;

    Claimer(
            QueueRow queue,
            ClaimStrategy strategy,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            ClaimStore claims,
            NodeContext node) {
        this.queue = queue;
        this.strategy = strategy;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.claims = claims;
        this.node = node;
    }

    QueueRow queue() {
        return queue;
    }

    /** Searches the database for the lanes that have messages to claim. */
    List<Integer> lanesWithWork() {
        return shuffled(claims.lanesWithWork(List.of(queue.id())));
    }

    /** Searches the database for the lanes of HIGH that have messages to claim. */
    List<Integer> highLanesWithWork() {
        return shuffled(claims.lanesWithWork(queue.id(), Priority.HIGH));
    }

    /** Shuffles lanes, so that several nodes do not wait for the lock of the same one. */
    private static List<Integer> shuffled(List<Lane> lanes) {
        List<Integer> shuffled = new ArrayList<>();
        for (Lane lane : lanes) {
            shuffled.add(lane.lane());
        }
        Collections.shuffle(shuffled);
        return shuffled;
    }

    /**
     * Claims messages at the head of a lane, reports them, and puts them into the buffer.
     *
     * @param capacity how many messages fit into the buffer
     * @param knownLanes how many lanes are known to have messages, this one included
     */
    Claimed claim(int lane, int capacity, int knownLanes) {
        long start = node.nanoTime().getAsLong();
        Claimed claimed = claimUnreported(lane, capacity, knownLanes);
        if (claimed.skippedOrdered() && !reportedIgnoredKeys) {
            reportedIgnoredKeys = true;
            node.telemetry().strategyIgnoresOrderingKeys(queue.name(), strategy);
        }
        int count = claimed.messages().size();
        if (count > 0) {
            Duration took = Duration.ofNanos(node.nanoTime().getAsLong() - start);
            prefetch.recordClaim(took);
            node.telemetry().claimed(queue.name(), count, took);
        }
        return claimed;
    }

    private Claimed claimUnreported(int lane, int capacity, int knownLanes) {
        int owner = node.heartbeat().node();
        if (owner == 0) { // the node was declared dead and is not registered again: the claim would have no owner
            return Claimed.BUSY;
        }
        long batch = node.openClaims().begin();
        boolean allowsSuspect = node.suspectSlot().tryAcquire();
        boolean claimedSuspect = false;
        try {
            Budget budget = prefetch.budget(capacity, knownLanes, allowsSuspect);
            long before = node.nanoTime().getAsLong();
            Claimed claimed =
                    claims.claimDue(new ClaimRequest(queue.id(), lane, owner, batch, budget, strategy, before));
            claimedSuspect = claimed.messages().stream().anyMatch(ClaimedMessage::isSuspect);
            boolean laneHasMore = claimed.leftover() && claimed.messages().size() == budget.messages();
            buffer.put(claimed.messages(), laneHasMore);
            return claimed;
        } catch (RuntimeException e) {
            node.wakeReconciler();
            throw e;
        } finally {
            node.openClaims().end(batch);
            if (allowsSuspect && !claimedSuspect) {
                node.suspectSlot().release();
            }
        }
    }

    /** Requeues the messages that wait in the buffer, so that other nodes can run them. */
    void requeueUnstarted() {
        List<Claim> unstarted = buffer.removeUnstarted();
        if (unstarted.isEmpty()) {
            return;
        }
        try {
            claims.requeueIfClaimed(unstarted, Duration.ZERO);
        } catch (RuntimeException e) {
            node.wakeReconciler(); // these messages are no longer in the buffer
            throw e;
        }
    }
}

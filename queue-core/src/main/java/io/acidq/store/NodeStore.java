package io.acidq.store;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats of nodes, and the rescue of claims of nodes that are dead or have stopped. No clock is compared: a node is alive while its count of
 * heartbeats increases. {@link #heartbeatIfAlive}, {@link #updateWorkersIfAlive} and {@link #livingNodes} use a connection kept for them, so that a node is not declared
 * dead because its pool is exhausted.
 */
public interface NodeStore {

    /** Registers a newly started engine as a node and returns its number, which is never used again unless the tables are emptied. */
    int register(NodeRow node);

    /**
     * Writes one heartbeat; false when the node was declared dead or has stopped, or when its row is gone.
     *
     * @param registrationId of the row with which the node was registered
     */
    boolean heartbeatIfAlive(int node, UUID registrationId);

    /** Whether the row of a node exists, alive or not. It may have been deleted, and its number given to another node. */
    boolean isRegistered(int node, UUID registrationId);

    /**
     * Updates the queues that a node serves; false when it was declared dead or has stopped.
     *
     * @param registrationId of the row with which the node was registered
     * @param workers how many handlers it may run at once, by the number of the queue
     */
    boolean updateWorkersIfAlive(int node, UUID registrationId, Map<Integer, Integer> workers);

    /** The nodes that are alive, with their heartbeats. */
    List<NodeHeartbeats> livingNodes();

    /** Declares a node dead if it has written no heartbeat since; false when it has, or when another node declared it dead. */
    boolean declareDeadIfSilent(NodeHeartbeats silent);

    /** Marks a node as stopped. */
    void markStopped(int node, UUID registrationId);

    /** Writes what a node does now, over its last report. */
    void writeReport(int node, NodeReport report);

    /** Removes the report of a node; does nothing if there is none. */
    void removeReport(int node);

    /** The nodes that are not alive and still own claims. The list of living nodes is read after the claims. */
    List<Integer> endedOwners();

    /**
     * Frees the claims of a node that is dead or has stopped: reads them, lets the caller decide, and applies each decision as a compare-and-set, in
     * one transaction; one rescuer at a time for a node. Locked rows (an acknowledgement that may still commit) are skipped until the next call. A
     * node that is alive is skipped.
     *
     * <p>A decision that counts a crash records it for the message; the error text of a dead letter must name all of them.
     *
     * @return the decisions that were applied
     */
    List<RescueDecision> rescue(int endedOwner, Function<Orphans, List<RescueDecision>> decide);

    /**
     * A node that registers.
     *
     * @param registrationId a random number, because the database may give a number again: after a failover that lost commits, or when its tables were
     *                    emptied
     * @param workers how many handlers it may run at once, by the number of the queue
     * @param host    where it runs, for people
     * @param version the version of AcidQ, for people
     */
    record NodeRow(UUID registrationId, Map<Integer, Integer> workers, String host, String version) {

        /** A node with a new random registration id. */
        public NodeRow(Map<Integer, Integer> workers, String host, String version) {
            this(UUID.randomUUID(), workers, host, version);
        }
    }

    /**
     * A living node.
     *
     * @param node  its number
     * @param heartbeats its count of heartbeats
     */
    record NodeHeartbeats(int node, long heartbeats) {}

    /**
     * The claims of a node that is dead or has stopped.
     *
     * @param workers how many handlers it may have been running at once, by the number of the queue; empty when its row is gone
     * @param claims  its claims in no particular order
     * @param crash   the crash of the node
     * @param stopped whether it has stopped regularly
     */
    record Orphans(Map<Integer, Integer> workers, List<Orphan> claims, Crash crash, boolean stopped) {}

    /**
     * A crash of a process.
     *
     * @param node its node
     * @param host where it ran
     * @param at   when its claims were freed, by the database's clock
     */
    record Crash(int node, String host, Instant at) {}

    /**
     * A claim of a node that is dead or has stopped.
     *
     * @param claim    the claim
     * @param id       the message
     * @param batch    the running number of the claim transaction
     * @param orderingKey the ordering key, or null
     * @param crashes   the crashes counted before
     * @param earlierCrashes  these crashes, the oldest first, as far as they are recorded
     * @param expired  whether the message has expired
     */
    record Orphan(
            Claim claim,
            MessageId id,
            long batch,
            @Nullable String orderingKey,
            int crashes,
            List<Crash> earlierCrashes,
            boolean expired) {}

    /**
     * The decision about the claim of such a node; its attempt never counts.
     *
     * @param claim  the claim
     * @param crashes the crashes to be written
     * @param errorText   null to requeue the message; otherwise it becomes a dead letter with this last error
     */
    record RescueDecision(
            Claim claim, int crashes, @Nullable String errorText) {}
}

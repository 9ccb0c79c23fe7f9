package io.acidq.store;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Liveness of nodes and the rescue of what the dead had claimed. No clock is involved: a node lives while its count of heartbeats
 * rises. {@link #beatIfAlive}, {@link #serveIfAlive} and {@link #nodes} use a connection kept for them, so that an exhausted pool kills no node.
 */
public interface NodeStore {

    /** Registers a new incarnation and returns its number, which is never used again. */
    int register(NodeRow node);

    /** Counts one beat; false when the node has been buried or has stopped. */
    boolean beatIfAlive(int node);

    /**
     * Writes anew which queues a node serves; false when it has been buried or has stopped.
     *
     * @param workers how many handlers it may run at once, by the number of the queue
     */
    boolean serveIfAlive(int node, Map<Integer, Integer> workers);

    /** The nodes that count as living, with their heartbeats. */
    List<NodeHeartbeats> nodes();

    /** Declares a node dead if it has not beaten since; false when it has, or when another node has buried it. */
    boolean declareDeadIfSilent(NodeHeartbeats silent);

    /** Takes a node that stops in good order off the living. */
    void retire(int node);

    /** The nodes that are not living and still own claims. The list of the living is read after the claims. */
    List<Integer> deadOwners();

    /**
     * Frees what a dead node still owns: reads its claims, asks the judge, and applies each verdict as a compare-and-set,
     * in one transaction; one rescuer at a time for a dead node. Rows that are locked (an acknowledgement that may yet
     * commit) are left for the next round. A node that lives is left alone.
     *
     * <p>A verdict that counts a death records it against the message; a dead letter's cause has to tell of all of them.
     *
     * @return the verdicts that were applied
     */
    List<Verdict> rescue(int deadOwner, Function<Orphans, List<Verdict>> judge);

    /**
     * A node that registers.
     *
     * @param workers how many handlers it may run at once, by the number of the queue
     * @param host    where it runs, for people
     * @param version the version of AcidQ, for people
     */
    record NodeRow(Map<Integer, Integer> workers, String host, String version) {}

    /**
     * A living node.
     *
     * @param node  its number
     * @param heartbeats how often it has beaten
     */
    record NodeHeartbeats(int node, long heartbeats) {}

    /**
     * What a dead node left.
     *
     * @param workers how many handlers it may have been running at once, by the number of the queue; empty when its row is gone
     * @param claims  its claims in no particular order
     * @param crash   its death, counted now
     * @param retired whether it has stopped in good order
     */
    record Orphans(Map<Integer, Integer> workers, List<Orphan> claims, Crash crash, boolean retired) {}

    /**
     * The death of a process.
     *
     * @param node the node that it was
     * @param host where it ran
     * @param at   when its claims were freed, by the database's clock
     */
    record Crash(int node, String host, Instant at) {}

    /**
     * A claim of a dead node.
     *
     * @param claim    the claim
     * @param id       the message
     * @param batch    the running number of the claim transaction
     * @param orderKey the ordering key, or null
     * @param crashes   the crashes counted before
     * @param earlier  these crashes, the oldest first, as far as they are recorded
     */
    record Orphan(
            Claim claim, MessageId id, long batch, @Nullable String orderKey, int crashes, List<Crash> earlier) {}

    /**
     * What becomes of an orphan; its attempt is given back in every case.
     *
     * @param claim  the claim
     * @param crashes the crashes to be written
     * @param mark   null to free it; else it becomes a dead letter with this cause
     */
    record Verdict(Claim claim, int crashes, @Nullable String mark) {}
}

package io.acidq.store;

import io.acidq.DeadHeadPolicy;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** The table of queues. */
public interface QueueStore {

    /** The number of lanes that a queue gets when it is created; it never changes. */
    int LANES = 64;

    /**
     * The number of additional lanes, the direct lanes, for messages that are claimed by their enqueue. The row of a lane says up to which id rows
     * may be claimed. An enqueue does not update that row, so it says "up to the end" for direct lanes, and a search for claims reads all their
     * messages.
     */
    int DIRECT_LANES = 8;

    /**
     * The queue of this name, created with its lanes when it is new: in a transaction and on a connection of its own,
     * so the answer does not depend on the caller's transaction and outlives it.
     */
    QueueRow openQueue(String name);

    /** Makes sure that these queues have their direct lanes: in a transaction of its own, before the first {@link EnqueueStore#insertClaimed}. */
    void openDirectLanes(Collection<QueueRow> queues);

    /** Sets the {@link DeadHeadPolicy} of a queue for all nodes; false when it is unchanged. */
    boolean changeDeadHeadPolicy(QueueRow queue, DeadHeadPolicy policy);

    /** The queue of this name, if there is one. */
    Optional<QueueRow> findQueue(String name);

    /** Pauses a queue and records actor and reason, in one short transaction; false when it is paused already. */
    boolean pauseIfRunning(int queue, String actor, String reason);

    /** Ends the pause of a queue and records actor and reason; false when it is not paused. */
    boolean resumeIfPaused(int queue, String actor, String reason);

    /** Returns those of the queues that are paused. */
    Set<Integer> paused(Collection<Integer> queues);

    /**
     * A row of the table of queues.
     *
     * @param id    its number in the other tables
     * @param name  its name
     * @param lanes how many lanes it was created with
     */
    record QueueRow(int id, String name, int lanes) {}
}

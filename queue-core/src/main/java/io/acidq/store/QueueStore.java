package io.acidq.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Operator;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
     * Returns the number of a queue in the tables, from 1 to 2,147,483,647: the first four bytes of the SHA-256 of its name in UTF-8, without the
     * sign. All versions of AcidQ must use the same hash. A process keeps the number in memory, and it is right in every database: after the tables
     * were emptied, created again or restored, and behind a DataSource that chooses among several databases. Of 1,000 queues, two have the same
     * number with a probability of 1 : 4,300; {@link #openQueue} then fails.
     */
    static int numberOf(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return Math.max(1, ByteBuffer.wrap(hash).getInt() & Integer.MAX_VALUE);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * The queue of this name, created with its lanes when it is new: in a transaction and on a connection of its own,
     * so the answer does not depend on the caller's transaction and outlives it.
     *
     * @throws QueueMisuseException when another queue has its {@linkplain #numberOf number}; it names both
     */
    QueueRow openQueue(String name);

    /**
     * Makes sure that these queues have all their lanes, also the direct ones, before the first {@link EnqueueStore#insertClaimed}: in transactions of
     * its own. If the row of a lane was lost while messages of it were claimed, the {@code claimed_to} of the new row is not below their ids.
     */
    void openLanes(Collection<QueueRow> queues);

    /**
     * Makes sure that this queue has the {@linkplain io.acidq.Priority#LANES lanes} of HIGH and LOW before the first message that is inserted there: in
     * a transaction and on a connection of its own, as {@link #openQueue}. Needs no more privileges than an enqueue.
     */
    void openPriorityLanes(QueueRow queue);

    /**
     * Adds the rows of the lanes of HIGH and LOW that were lost. If messages of such a lane were claimed, the {@code claimed_to} of the new row is not below
     * their ids.
     */
    void reopenPriorityLanes(QueueRow queue);

    /** Sets the {@link DeadHeadPolicy} of a queue for all nodes; false when it is unchanged. */
    boolean changeDeadHeadPolicy(QueueRow queue, DeadHeadPolicy policy);

    /** The queue of this name, if there is one. */
    Optional<QueueRow> findQueue(String name);

    /** Pauses a queue and records the operator, in one short transaction; false when it is paused already. */
    boolean pauseIfRunning(int queue, Operator operator);

    /** Ends the pause of a queue and records the operator; false when it is not paused. */
    boolean resumeIfPaused(int queue, Operator operator);

    /**
     * Cancels a message and records the operator, in short transactions: deletes it if it is not claimed, else asks the node that has claimed it to cancel it.
     * Waits for a transaction that has locked it.
     */
    Cancellation cancel(QueueRow queue, MessageId id, Operator operator);

    /** Returns the claimed messages that operators have asked to cancel, at most 10,000. Forgets those that have ended. */
    Set<UUID> cancelRequests();

    /**
     * Selects messages to be cancelled: those in lanes by lane and place, then the scheduled ones, then the parked ones. Reads pages of at most 1,000
     * rows, each in a short transaction that locks nothing.
     *
     * @param lane  the lane of the ordering key of the filter; null if it has none
     * @param limit the maximum number of messages
     */
    List<Cancellable> pickForCancel(QueueRow queue, MessageFilter filter, @Nullable Integer lane, int limit);

    /**
     * Cancels messages that are not claimed, all in the same table and of the same lane, in one transaction. Leaves alone those that have moved, are
     * claimed, or are locked by another transaction. The first change of a bulk action adds its row to the audit log.
     */
    CancelledMessages cancelAll(OperatorAction action, QueueRow queue, List<Cancellable> messages);

    /**
     * A message that can be cancelled.
     *
     * @param id       its place in the lane, or its id in {@code acidq_scheduled}
     * @param orderingKey its ordering key, empty when there is none
     */
    record Cancellable(CancelPlace place, int lane, long id, UUID uid, String orderingKey) {}

    /** Where a message that can be cancelled is. */
    enum CancelPlace {
        WAITING,
        SCHEDULED,
        PARKED,
        CLAIMED
    }

    /**
     * The result of one transaction of a bulk cancellation.
     *
     * @param cancelled the messages that were removed
     * @param bulk      the number of the bulk action, 0 when there is none yet
     */
    record CancelledMessages(List<Cancellable> cancelled, long bulk) {}

    /** The result of an operator's cancel. */
    enum Cancellation {

        /** It waited, and is deleted. */
        CANCELLED,

        /** It is claimed, and its cancel is requested. */
        REQUESTED,

        /** It does not exist. */
        GONE,

        /** It is a dead letter; nothing was changed. */
        DEAD
    }

    /** Returns the rows of these queues, as far as they exist, with the lanes that they have. A plain read. */
    List<StoredQueue> readQueues(Collection<Integer> queues);

    /** Returns those of the queues that are paused. */
    default Set<Integer> paused(Collection<Integer> queues) {
        return readQueues(queues).stream()
                .filter(StoredQueue::paused)
                .map(StoredQueue::id)
                .collect(Collectors.toSet());
    }

    /**
     * A row of the table of queues.
     *
     * @param id    its number in the other tables, {@link #numberOf} its name
     * @param name  its name
     * @param lanes how many lanes it was created with
     */
    record QueueRow(int id, String name, int lanes) {}

    /**
     * The row of a queue as it is now.
     *
     * @param missingLanes  how many of its lanes have no row, without the direct ones and those of priorities
     * @param directLanes   how many of its direct lanes have a row
     * @param priorityLanes how many of its lanes of HIGH and LOW have a row: none before the first message with one of them
     * @param cancelRequests 1 if operators have asked to cancel claimed messages of any queue, else 0
     */
    record StoredQueue(
            int id,
            String name,
            boolean paused,
            int missingLanes,
            int directLanes,
            int priorityLanes,
            int cancelRequests) {}
}

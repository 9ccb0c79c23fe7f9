package io.acidq.store;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Periodic maintenance of all queues: moves due messages into their lanes, and removes rows older than their retention. Each method uses short
 * transactions of its own and may run on any number of nodes at the same time: rows that another transaction has locked are skipped until the next call.
 */
public interface MaintenanceStore {

    /**
     * Moves due messages from {@code acidq_scheduled} to the tails of their lanes, by due time, in several short transactions; one due-message mover at a
     * time for a queue, across all nodes.
     */
    Moved moveDue();

    /** Removes keys of the inbox whose window has ended, the oldest first. */
    Pruned pruneInbox(int limit);

    /**
     * Removes message keys whose window has ended and whose message no longer exists: it is neither in {@code acidq_message}, nor scheduled, nor a dead
     * letter. Continues where the last call ended, so that keys of long-lived messages do not keep it from reaching the others.
     */
    Pruned pruneKeys(int limit);

    /**
     * Removes dead letters that are older than their queue keeps them, the oldest first.
     *
     * @param retention how long a queue of this name keeps them; null for no limit
     */
    Pruned pruneDead(Function<String, @Nullable Duration> retention, int limit);

    /** Removes archived messages whose retention has ended, the oldest first. */
    Pruned pruneArchive(int limit);

    /** Removes receipts whose retention has ended, the oldest first. Remembers the greatest unique number of those that were removed. */
    Pruned pruneReceipts(int limit);

    /** Removes entries of the audit log that are older than this, the oldest first. */
    Pruned pruneAudit(Duration retention, int limit);

    /** Removes nodes that ended longer ago than this and own no messages, except for the node with the highest number, which must not be used again. */
    Pruned pruneNodes(Duration retention, int limit);

    /** Removes crashes that are older than a day and whose message no longer exists. Continues where the last call ended. */
    Pruned pruneCrashes(int limit);

    /** Removes the records of failed attempts that ended longer ago than this, the oldest first. */
    Pruned pruneAttempts(Duration retention, int limit);

    /**
     * The result of a move.
     *
     * @param lanes   the lanes that got messages
     * @param nextDue how long until the next message is due: zero when there is more to move now, null when none waits
     * @param obstacle what kept due messages of a queue from being moved, though no other due-message mover of the queue is at work; null if nothing did
     */
    record Moved(
            List<Lane> lanes,
            @Nullable Duration nextDue,
            @Nullable String obstacle) {

        public Moved(List<Lane> lanes, @Nullable Duration nextDue) {
            this(lanes, nextDue, null);
        }
    }

    /**
     * The result of one removal.
     *
     * @param rows how many rows it removed
     * @param more whether there may be more to remove now
     */
    record Pruned(int rows, boolean more) {}
}

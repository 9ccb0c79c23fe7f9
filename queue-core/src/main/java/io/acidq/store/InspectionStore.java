package io.acidq.store;

import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.Attempts.Attempt;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditLog.AuditSlice;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.MessageTable;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Messages.MessageCrash;
import io.acidq.admin.Messages.MessageSlice;
import io.acidq.admin.StoredMessage;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads for operators: the backlog, single messages and their places, queues and nodes, the archive and the audit log. Plain reads that
 * lock nothing, each a short transaction of its own with a limit on the rows that it reads. {@link ClaimStore#archiveIfClaimed} writes the
 * archive; the transactions of operators write the audit log.
 */
public interface InspectionStore {

    /** The messages of a queue by state, in one snapshot; of each table at most this many. */
    Counts count(int queue, int limit);

    /** How many messages that are or were due are unclaimed, those that are still to be moved into a lane included; counts at most this many. */
    int countUnclaimed(int queue, int limit);

    /**
     * How long ago the oldest unclaimed message was first due or replayed. Considers the first message of each lane, and the due messages that the
     * due-message mover has not moved into a lane yet. Null when there is none.
     */
    @Nullable
    Duration oldestUnclaimed(int queue);

    /** How long ago the first message was due that is still to be moved from {@code acidq_scheduled} into its lane. Null when there is none. */
    @Nullable
    Duration oldestToMove(int queue);

    /** The queues by name, at most this many. */
    List<QueueSummary> queues(int limit);

    /**
     * The next higher number of a queue that has messages in a lane or in {@code acidq_scheduled}. The queue itself may have no row, because {@code acidq_queue} was
     * emptied: then no engine runs them before a listener adds it again.
     */
    Optional<Integer> nextQueueWithMessages(int after);

    /** The nodes that are alive, by number, at most this many. */
    List<LivingNode> livingNodes(int limit);

    /**
     * Messages of a queue that match, from a position on.
     *
     * @param lane     the lane of the ordering key of the query; null when it has none
     * @param scanLimit how many rows of each table are scanned
     */
    MessageSlice listMessages(QueueRow queue, MessageQuery query, @Nullable Integer lane, int scanLimit);

    /**
     * How many scheduled messages of a queue are due between each two of these times; counts at most this many of each.
     *
     * @param bounds the times, in their order
     */
    List<Integer> countScheduled(int queue, List<Instant> bounds, int limit);

    /** The crashes that are counted against a message, the oldest first. */
    List<MessageCrash> crashes(UUID uid);

    Optional<StoredMessage> findMessage(QueueRow queue, MessageId id);

    /** The message that holds a message key; the message itself may no longer exist. */
    Optional<MessageId> keyHolder(QueueRow queue, String key);

    Optional<MessageContent> content(QueueRow queue, MessageId id);

    /** Where the message is; one statement, so that a message that moves from table to table is found once. */
    Optional<MessageLocation> findLocation(Lane lane, UUID uid);

    /** The first row before it in its lane that blocks its ordering key. */
    Optional<MessageLocation> findBlocking(Lane lane, MessageLocation messageLocation);

    /** The failed attempts of a message that are recorded, the oldest first, at most this many. */
    List<Attempt> attempts(UUID uid, int limit);

    /** How many unclaimed messages are before it in its lane; counts at most this many. */
    int countBefore(Lane lane, long id, int limit);

    /** A node, alive or not, while its row exists. */
    Optional<NodeSummary> node(int node);

    /** The reports of the nodes that are alive, by number, at most this many. */
    List<StoredReport> nodeReports(int limit);

    /** The report of a node, alive or not, if it has written one. */
    Optional<StoredReport> nodeReport(int node);

    /** Whether a node that is alive has a listener for the queue. */
    boolean isServed(int queue);

    /** The done message of this queue and number, if it is kept. */
    Optional<ArchivedMessage> findArchived(QueueRow queue, UUID uid);

    /** The kept messages that were done from an instant on and before another, the oldest first. */
    List<ArchivedMessage> listArchived(QueueRow queue, Instant from, Instant until, int limit);

    /** All that operators did to a message, the oldest first. */
    List<AuditEntry> auditOf(UUID uid);

    /**
     * Entries that match, the newest first.
     *
     * @param queue    the number of the queue of the query; null when it has none
     * @param scanLimit how many entries are scanned
     */
    AuditSlice listAudit(AuditQuery query, @Nullable Integer queue, int scanLimit);

    /** An entry by its number. */
    Optional<AuditEntry> findAudit(long id);

    /**
     * Messages by state.
     *
     * @param ready     due and not claimed, in a lane or still to be moved into one
     * @param running   claimed
     * @param waiting   in place, not due yet
     * @param scheduled in {@code acidq_scheduled}, not due yet
     * @param dead      dead letters
     * @param high      not claimed, in the lanes of HIGH
     * @param low       not claimed, in the lanes of LOW
     */
    record Counts(int ready, int running, int waiting, int scheduled, int dead, int high, int low) {}

    /**
     * A queue.
     *
     * @param id its number in the other tables
     */
    record QueueSummary(int id, String name, boolean paused) {}

    /**
     * A node that is alive.
     *
     * @param node    its number
     * @param heartbeats   its count of heartbeats
     * @param host    where it runs, for people
     * @param version the version of AcidQ, for people
     * @param started when it registered
     * @param workers how many handlers it may run at once, by the number of the queue
     */
    record LivingNode(
            int node, long heartbeats, String host, String version, Instant started, Map<Integer, Integer> workers) {}

    /**
     * The report of a node, with its time.
     *
     * @param at  when it was written
     * @param age how long ago that was
     */
    record StoredReport(int node, Instant at, Duration age, NodeReport report) {}

    /**
     * A row of a message, or in a lane that of a marker.
     *
     * @param inTable  the table; LANE for a parked message too, because it keeps its place in the lane
     * @param id       its place in the lane
     * @param uid      its unique number
     * @param owner    the node that has claimed it, 0 when none
     * @param claimNo  how often it has been claimed
     * @param attempts its counted starts
     * @param crashes   its starts that ended with the process
     * @param kind     0 for a message, else a marker that holds a place
     * @param orderingKey its ordering key, empty when there is none
     * @param dueAt    when it is due; of a dead letter, when it was dead-lettered
     * @param due      whether that time has come, by the database's clock
     * @param error    for a dead letter, the beginning of its last error; otherwise empty
     * @param expiresAt when it expires; null when it does not
     * @param expired  whether that time has come, by the database's clock
     */
    record MessageLocation(
            MessageTable inTable,
            long id,
            UUID uid,
            int owner,
            int claimNo,
            int attempts,
            int crashes,
            int kind,
            String orderingKey,
            Instant dueAt,
            boolean due,
            String error,
            @Nullable Instant expiresAt,
            boolean expired) {

        /** Whether it has an ordering key. */
        public boolean isOrdered() {
            return !orderingKey.isEmpty();
        }
    }

    /**
     * A node, for operators.
     *
     * @param node      its number
     * @param alive     whether it is alive
     * @param host      where it runs
     * @param startedAt when it registered
     */
    record NodeSummary(int node, boolean alive, String host, Instant startedAt) {}
}

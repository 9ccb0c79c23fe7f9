package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.Attempts.Attempt;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.codec.Headers;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.InspectionStore.Counts;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.MessageLocation;
import io.acidq.store.InspectionStore.NodeSummary;
import io.acidq.store.InspectionStore.QueueSummary;
import io.acidq.store.InspectionStore.StoredReport;
import io.acidq.store.Lane;
import io.acidq.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that show queues, messages, nodes, the archive and the audit log to operators. */
interface InspectionMapper {

    Counts count(@Param("queue") int queue, @Param("limit") int limit);

    int countUnclaimed(@Param("queue") int queue, @Param("limit") int limit);

    @Nullable
    Long oldestUnclaimed(@Param("queue") int queue);

    @Nullable
    Long oldestToMove(@Param("queue") int queue);

    List<QueueSummary> queues(@Param("limit") int limit);

    @Nullable
    Integer nextQueueWithMessages(@Param("after") int after);

    List<LivingNodeRow> livingNodes(@Param("limit") int limit);

    List<ReportRow> nodeReports(@Param("limit") int limit);

    @Nullable
    ReportRow nodeReport(@Param("node") int node);

    List<StoredMessageRow> inLanes(BrowseQuery wanted);

    List<StoredMessageRow> parked(BrowseQuery wanted);

    List<ClaimedLane> lanesEverClaimed(@Param("queue") int queue);

    List<StoredMessageRow> claimed(@Param("lanes") List<ClaimedLane> lanes, @Param("wanted") BrowseQuery wanted);

    List<StoredMessageRow> scheduled(BrowseQuery wanted);

    int countScheduled(
            @Param("queue") int queue,
            @Param("from") Instant from,
            @Param("until") Instant until,
            @Param("limit") int limit);

    List<StoredMessageRow> dead(BrowseQuery wanted);

    List<StoredMessageRow> done(BrowseQuery wanted);

    @Nullable
    LanePosition scanEndInLanes(BrowseQuery wanted);

    @Nullable
    ParkedPosition scanEndOfParked(BrowseQuery wanted);

    @Nullable
    TimeAndId scanEndOfScheduled(BrowseQuery wanted);

    @Nullable
    TimeAndUid scanEndOfDead(BrowseQuery wanted);

    @Nullable
    TimeAndUid scanEndOfDone(BrowseQuery wanted);

    List<StoredMessageRow> findMessage(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    @Nullable
    KeyHolder keyHolder(@Param("queue") int queue, @Param("key") String key);

    List<ContentRow> content(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    List<MessageLocation> findLocation(@Param("lane") Lane lane, @Param("uid") UUID uid);

    @Nullable
    MessageLocation findBlocking(
            @Param("lane") Lane lane, @Param("id") long id, @Param("orderingKey") String orderingKey);

    int countBefore(@Param("lane") Lane lane, @Param("id") long id, @Param("limit") int limit);

    @Nullable
    NodeSummary node(@Param("node") int node);

    @Nullable
    Integer isServed(@Param("pattern") String pattern);

    @Nullable
    ArchiveRow findArchived(@Param("queue") int queue, @Param("uid") UUID uid);

    List<ArchiveRow> listArchived(
            @Param("queue") int queue,
            @Param("from") Instant from,
            @Param("until") Instant until,
            @Param("limit") int limit);

    List<AuditRow> auditOf(@Param("uid") UUID uid);

    List<AuditRow> audit(AuditRange wanted);

    @Nullable
    Long scanEndOfAudit(AuditRange wanted);

    @Nullable
    AuditRow findAudit(@Param("id") long id);

    /**
     * A search for messages in one table. Of {@code after} and {@code end} those values are set that the index of the table has.
     *
     * @param lane   the only lane, or null
     * @param limit  the highest number of messages to return
     * @param limit  the highest number of rows to scan
     * @param offset one less: how many rows precede the last one that is scanned
     */
    record BrowseQuery(
            int queue,
            @Nullable MessageState state,
            @Nullable String type,
            @Nullable String orderingKey,
            @Nullable Integer lane,
            @Nullable Integer afterLane,
            @Nullable String afterKey,
            @Nullable Instant afterAt,
            @Nullable Long afterId,
            @Nullable UUID afterUid,
            @Nullable Instant endAt,
            @Nullable Long endId,
            @Nullable UUID endUid,
            int limit,
            int scanLimit,
            int offset) {

        /** Returns this search up to the last row that is scanned. */
        BrowseQuery until(@Nullable Instant at, @Nullable Long id, @Nullable UUID uid) {
            return new BrowseQuery(
                    queue,
                    state,
                    type,
                    orderingKey,
                    lane,
                    afterLane,
                    afterKey,
                    afterAt,
                    afterId,
                    afterUid,
                    at,
                    id,
                    uid,
                    limit,
                    scanLimit,
                    offset);
        }
    }

    /** A row of a lane. */
    record LanePosition(int lane, long id) {}

    /** A row of a parked message. */
    record ParkedPosition(String orderingKey, long id) {}

    /** A row of an index by time and number. */
    record TimeAndId(Instant at, long id) {}

    /** A row of an index by time and unique number. */
    record TimeAndUid(Instant at, UUID uid) {}

    /**
     * A search for entries of the audit log.
     *
     * @param before only entries with a lower number; 0 for all
     * @param end    only entries with this number or a higher one; 0 for all
     * @param offset how many entries precede the last one that is scanned
     */
    record AuditRange(
            long bulk,
            @Nullable Integer queue,
            @Nullable String actor,
            @Nullable String action,
            @Nullable Instant since,
            @Nullable Instant until,
            long before,
            long end,
            int limit,
            int offset) {

        static AuditRange of(AuditQuery query, @Nullable Integer queue, int scanLimit) {
            Instant since = query.since();
            Instant until = query.until();
            return new AuditRange(
                    query.bulk(),
                    queue,
                    query.actor(),
                    query.action(),
                    since == null ? null : Microseconds.notBefore(since),
                    until == null ? null : Microseconds.notBefore(until),
                    query.before(),
                    0,
                    query.limit(),
                    scanLimit - 1);
        }

        /** Returns this search up to the last entry that is scanned. */
        AuditRange until(long id) {
            return new AuditRange(bulk, queue, actor, action, since, until, before, id, limit, offset);
        }

        /** Whether entries may be scanned in vain. */
        boolean isFiltered() {
            return queue != null || actor != null || action != null || since != null || until != null;
        }
    }

    List<AttemptRow> attempts(@Param("uid") UUID uid, @Param("limit") int limit);

    /** A failed attempt. */
    record AttemptRow(
            int claimNo,
            int node,
            Instant startedAt,
            Instant endedAt,
            String outcome,
            @Nullable Instant retryAt,
            String error,
            byte[] cause) {

        Attempt toAttempt() {
            return new Attempt(
                    claimNo,
                    node,
                    startedAt,
                    endedAt,
                    outcome.equals("DEAD"),
                    Optional.ofNullable(retryAt),
                    error,
                    ErrorText.hex(cause));
        }
    }

    /** A report of a node, with its age in microseconds. */
    record ReportRow(int node, Instant at, long age, byte[] body) {

        StoredReport toStoredReport() {
            return new StoredReport(
                    node, at, Duration.of(Math.max(0, age), ChronoUnit.MICROS), NodeReport.decode(body));
        }
    }

    /** A row of the table of nodes. */
    record LivingNodeRow(int node, long heartbeats, String host, String version, Instant startedAt, String workers) {

        LivingNode toLivingNode() {
            return new LivingNode(node, heartbeats, host, version, startedAt, MyBatisNodeStore.readWorkers(workers));
        }
    }

    /**
     * A message of any table.
     *
     * @param id its place in the lane, or its number among the scheduled messages; 0 in tables that have none
     */
    record StoredMessageRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderingKey,
            String type,
            int size,
            int attempts,
            int crashes,
            Instant enqueuedAt,
            @Nullable Instant expiresAt,
            boolean expired,
            int owner,
            Instant dueAt,
            MessageState state,
            long id) {

        StoredMessage toStoredMessage(String queue) {
            return new StoredMessage(
                    new MessageId(queue, lane, uid),
                    state,
                    Optional.ofNullable(key),
                    orderingKey.isEmpty() ? Optional.empty() : Optional.of(orderingKey),
                    type,
                    size,
                    attempts,
                    crashes,
                    owner == 0 ? OptionalInt.empty() : OptionalInt.of(owner),
                    enqueuedAt,
                    dueAt,
                    Optional.ofNullable(expiresAt),
                    expired);
        }
    }

    /** The content of a message of any table. */
    record ContentRow(String type, byte[] payload, String headers) {

        MessageContent toMessageContent() {
            return new MessageContent(type, payload, Headers.readable(headers));
        }
    }

    /** A row of the archive. */
    record ArchiveRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderingKey,
            String type,
            byte[] payload,
            String headers,
            int attempts,
            int crashes,
            Instant enqueuedAt,
            Instant doneAt) {

        ArchivedMessage toArchivedMessage(String queue) {
            return new ArchivedMessage(
                    new MessageId(queue, lane, uid),
                    Optional.ofNullable(key),
                    orderingKey.isEmpty() ? Optional.empty() : Optional.of(orderingKey),
                    type,
                    payload,
                    Headers.readable(headers),
                    attempts,
                    crashes,
                    enqueuedAt,
                    doneAt);
        }
    }

    /** A row of the audit log. */
    record AuditRow(
            long id,
            Instant at,
            String actor,
            String action,
            String queue,
            int lane,
            @Nullable UUID uid,
            long bulk,
            String filter,
            String reason,
            String detail) {

        AuditEntry toEntry() {
            return new AuditEntry(
                    id,
                    at,
                    actor,
                    action,
                    queue,
                    uid == null ? Optional.empty() : Optional.of(new MessageId(queue, lane, uid)),
                    bulk == 0 ? OptionalLong.empty() : OptionalLong.of(bulk),
                    filter,
                    reason,
                    detail);
        }
    }
}

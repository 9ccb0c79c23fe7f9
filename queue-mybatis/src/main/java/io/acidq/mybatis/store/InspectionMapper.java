package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.AuditLog.AuditEntry;
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
import io.acidq.store.Lane;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that show queues, messages, nodes, the archive and the audit log to operators. */
interface InspectionMapper {

    Counts count(@Param("queue") int queue, @Param("most") int most);

    int countUnclaimed(@Param("queue") int queue, @Param("most") int most);

    @Nullable
    Long oldestUnclaimed(@Param("queue") int queue);

    @Nullable
    Long oldestToMove(@Param("queue") int queue);

    List<QueueSummary> queues(@Param("most") int most);

    @Nullable
    Integer nextQueueWithMessages(@Param("after") int after);

    List<LivingNodeRow> livingNodes(@Param("most") int most);

    List<StoredMessageRow> inLanes(BrowseQuery wanted);

    List<StoredMessageRow> parked(BrowseQuery wanted);

    List<ClaimedLane> lanesEverClaimed(@Param("queue") int queue);

    List<StoredMessageRow> claimed(@Param("lanes") List<ClaimedLane> lanes, @Param("limit") int limit);

    List<StoredMessageRow> scheduled(BrowseQuery wanted);

    List<StoredMessageRow> dead(BrowseQuery wanted);

    List<StoredMessageRow> findMessage(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    @Nullable
    KeyHolder keyHolder(@Param("queue") int queue, @Param("key") String key);

    List<ContentRow> content(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    List<MessageLocation> findLocation(@Param("lane") Lane lane, @Param("uid") UUID uid);

    @Nullable
    MessageLocation findBlocking(@Param("lane") Lane lane, @Param("id") long id, @Param("orderKey") String orderKey);

    int countBefore(@Param("lane") Lane lane, @Param("id") long id, @Param("most") int most);

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

    List<AuditRow> recentAudit(@Param("limit") int limit);

    /**
     * A search for messages.
     *
     * @param limit the highest number of messages to return
     * @param most  the highest number of rows to read
     */
    record BrowseQuery(int queue, @Nullable MessageState state, int limit, int most) {}

    /** A row of the table of nodes. */
    record LivingNodeRow(int node, long heartbeats, String host, String version, Instant startedAt, String workers) {

        LivingNode toLivingNode() {
            return new LivingNode(node, heartbeats, host, version, startedAt, MyBatisNodeStore.readWorkers(workers));
        }
    }

    /** A message of any table. */
    record StoredMessageRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderKey,
            String type,
            int size,
            int attempts,
            int crashes,
            Instant enqueuedAt,
            @Nullable Instant expiresAt,
            boolean expired,
            int owner,
            Instant dueAt,
            MessageState state) {

        StoredMessage toStoredMessage(String queue) {
            return new StoredMessage(
                    new MessageId(queue, lane, uid),
                    state,
                    Optional.ofNullable(key),
                    orderKey.isEmpty() ? Optional.empty() : Optional.of(orderKey),
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
            String orderKey,
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
                    orderKey.isEmpty() ? Optional.empty() : Optional.of(orderKey),
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

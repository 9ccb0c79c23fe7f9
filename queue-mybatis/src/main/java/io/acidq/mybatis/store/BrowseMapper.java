package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.MessageContent;
import io.acidq.admin.MessageState;
import io.acidq.admin.StoredMessage;
import io.acidq.codec.Headers;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.QueueSummary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that show queues, nodes and messages to operators. */
interface BrowseMapper {

    List<QueueSummary> queues(@Param("most") int most);

    List<LivingNodeRow> livingNodes(@Param("most") int most);

    List<StoredMessageRow> inLanes(BrowseQuery wanted);

    List<StoredMessageRow> parked(BrowseQuery wanted);

    List<ClaimedLane> lanesEverClaimed(@Param("queue") int queue);

    List<StoredMessageRow> claimed(@Param("lanes") List<ClaimedLane> lanes, @Param("limit") int limit);

    List<StoredMessageRow> scheduled(BrowseQuery wanted);

    List<StoredMessageRow> dead(BrowseQuery wanted);

    List<StoredMessageRow> find(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    @Nullable
    KeyHolder keyHolder(@Param("queue") int queue, @Param("key") String key);

    List<ContentRow> content(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    /**
     * What is looked for.
     *
     * @param limit rows that are found at most
     * @param most  rows that are looked at
     */
    record BrowseQuery(int queue, @Nullable MessageState state, int limit, int most) {}

    /** A node as its row holds it. */
    record LivingNodeRow(int node, long heartbeats, String host, String version, Instant startedAt, String workers) {

        LivingNode toLivingNode() {
            return new LivingNode(node, heartbeats, host, version, startedAt, WorkersColumn.read(workers));
        }
    }

    /** A message as its row holds it. */
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
                    dueAt);
        }
    }

    /** What a message carries, as its row holds it. */
    record ContentRow(String type, byte[] payload, String headers) {

        MessageContent content() {
            return new MessageContent(type, payload, Headers.readable(headers));
        }
    }
}

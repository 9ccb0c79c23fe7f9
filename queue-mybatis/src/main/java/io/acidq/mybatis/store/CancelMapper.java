package io.acidq.mybatis.store;

import io.acidq.admin.MessageTable;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.store.QueueStore.Cancellable;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that cancel messages for operators, and those on the requests to claimed messages. */
interface CancelMapper {

    @Nullable
    Found find(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    @Nullable
    Integer lockOwner(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id, @Param("uid") UUID uid);

    int deleteFree(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id, @Param("uid") UUID uid);

    int deleteScheduled(@Param("found") Found found, @Param("uid") UUID uid);

    @Nullable
    Integer lockFreeKey(@Param("queue") int queue, @Param("found") Found found, @Param("uid") UUID uid);

    int leaveScheduled(@Param("queue") int queue, @Param("found") Found found, @Param("uid") UUID uid);

    @Nullable
    Long lockLane(@Param("queue") int queue, @Param("lane") int lane);

    int deleteParked(@Param("queue") int queue, @Param("found") Found found, @Param("uid") UUID uid);

    int request(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id, @Param("uid") UUID uid);

    int insertAudit(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("uid") UUID uid,
            @Param("actor") String actor,
            @Param("reason") String reason,
            @Param("detail") String detail);

    /** The lanes of a queue. */
    List<Integer> lanesOf(@Param("queue") int queue);

    List<PageRow> lanePage(
            @Param("queue") int queue, @Param("lane") int lane, @Param("after") long after, @Param("limit") int limit);

    /** Scheduled messages that are due at an instant. */
    List<PageRow> scheduledPageAt(
            @Param("queue") int queue,
            @Param("due") Instant due,
            @Param("after") long after,
            @Param("limit") int limit);

    /** Scheduled messages that are due after an instant. */
    List<PageRow> scheduledPage(@Param("queue") int queue, @Param("due") Instant due, @Param("limit") int limit);

    /** Parked messages of an ordering key. */
    List<PageRow> parkedPageOf(
            @Param("queue") int queue,
            @Param("orderingKey") String orderingKey,
            @Param("after") long after,
            @Param("limit") int limit);

    /** Parked messages of later ordering keys. */
    List<PageRow> parkedPage(
            @Param("queue") int queue, @Param("orderingKey") String orderingKey, @Param("limit") int limit);

    List<LockedRow> lockWaiting(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") IdList ids);

    List<LockedRow> lockScheduled(@Param("queue") int queue, @Param("ids") IdList ids);

    int insertCancelled(
            @Param("actor") String actor,
            @Param("reason") String reason,
            @Param("queue") int queue,
            @Param("bulk") long bulk,
            @Param("messages") List<Cancellable> messages);

    /**
     * A row that a cancel by filter checks.
     *
     * @param owner the node that has claimed it, 0 when free
     * @param kind  0 for a message, else a marker
     */
    record PageRow(
            int lane,
            long id,
            UUID uid,
            int owner,
            int kind,
            String orderingKey,
            String type,
            Instant enqueuedAt,
            Instant due) {}

    /**
     * A locked message.
     *
     * @param key its message key
     */
    record LockedRow(long id, UUID uid, @Nullable String key, Instant due) {}

    List<UUID> requestedOf(@Param("uids") Collection<UUID> uids);

    int deleteRequest(@Param("uid") UUID uid);

    List<Request> requests(@Param("limit") int limit);

    /**
     * Where a message is.
     *
     * @param id  its place in the lane, or its id in {@code acidq_scheduled}
     * @param key its message key
     * @param due its due time; of a dead letter, when it was dead-lettered
     */
    record Found(
            MessageTable inTable,
            long id,
            String orderingKey,
            @Nullable String key,
            Instant due) {}

    /**
     * A request to a claimed message.
     *
     * @param living whether the message still exists, 1 or 0
     */
    record Request(UUID uid, int living) {}
}

package io.acidq.mybatis.store;

import io.acidq.mybatis.store.QueueMapper.NumberAndName;
import io.acidq.store.Lane;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that move due messages, in {@code Scheduled.xml}, and remove old rows, in {@code Retention.xml}. */
interface MaintenanceMapper {

    /** Returns the queues with due messages, without those whose row is lost. */
    List<Integer> queuesDue();

    @Nullable
    Long nextDueMicrosOfQueues();

    @Nullable
    Integer lockQueue(@Param("queue") int queue);

    List<DueRow> pickDue(@Param("queue") int queue, @Param("limit") int limit);

    List<DueRow> lockDue(@Param("ids") List<Long> ids);

    int copyToLane(@Param("ids") List<Long> ids);

    int deleteMoved(DueRow row);

    @Nullable
    Long nextDueMicros();

    List<InboxKey> lockExpiredInbox(@Param("limit") int limit);

    int deleteInbox(InboxKey row);

    List<ExpiredKey> lockExpiredKeys(@Param("after") @Nullable ExpiredKey after, @Param("limit") int limit);

    List<UUID> living(@Param("lanes") Collection<Lane> lanes, @Param("uids") List<UUID> uids);

    int deleteKey(ExpiredKey row);

    List<NumberAndName> queues();

    List<OldDead> lockOldDead(@Param("queue") int queue, @Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int deleteDead(OldDead row);

    List<OldestAudit> oldestAudit(@Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int deleteAudit(@Param("id") long id);

    int lastNode();

    List<Integer> lockEndedNodes(
            @Param("last") int last, @Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int deleteNode(@Param("id") int id);

    List<OldCrash> lockOldCrashes(
            @Param("after") @Nullable OldCrash after, @Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int deleteCrash(OldCrash row);

    List<Expired> lockExpiredArchive(@Param("limit") int limit);

    int deleteArchive(Expired row);

    List<OldAttempt> lockOldAttempts(@Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int deleteAttempt(OldAttempt row);

    /** The primary key of a failed attempt. */
    record OldAttempt(UUID uid, int claimNo) {}

    /** A scheduled message that is due. */
    record DueRow(Instant dueAt, long id, int lane, String orderingKey) {}

    /** The primary key of a dead letter. */
    record OldDead(Instant diedAt, UUID uid) {}

    /**
     * One of the oldest rows of the audit log.
     *
     * @param expired whether it is old enough to be removed, 1 or 0
     */
    record OldestAudit(long id, int expired) {}

    /** A crash and the message for which it is counted. */
    record OldCrash(Instant countedAt, UUID uid, int node, int queue, int lane) {}

    /** The primary key of a row of the archive. */
    record Expired(Instant keptUntil, UUID uid) {}

    /** The primary key of a row of the inbox. */
    record InboxKey(String consumer, String key) {}

    /** A message key whose window has ended, with the message that holds it. */
    record ExpiredKey(int queue, String key, UUID uid, int lane, Instant keptUntil) {}
}

package io.acidq.mybatis.store;

import io.acidq.admin.Subscriptions.Subscription;
import java.time.Instant;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the table of subscriptions, in {@code Subscriptions.xml}, and those that discard the messages of one. */
interface SubscriptionMapper {

    List<Subscription> list(@Param("topic") @Nullable String topic);

    int add(
            @Param("topic") String topic,
            @Param("name") String name,
            @Param("filter") String filter,
            @Param("queue") int queue);

    int changeFilter(@Param("topic") String topic, @Param("name") String name, @Param("filter") String filter);

    int drain(@Param("topic") String topic, @Param("name") String name);

    int remove(@Param("topic") String topic, @Param("name") String name);

    int insertAudit(
            @Param("queue") int queue,
            @Param("actor") String actor,
            @Param("reason") String reason,
            @Param("detail") String detail);

    List<DrainingRow> draining();

    /** Whether a queue has a message that waits, is scheduled or runs. */
    boolean hasMessages(@Param("queue") int queue);

    @Nullable
    Integer lockQueue(@Param("queue") int queue);

    List<WaitingRow> lockWaiting(@Param("queue") int queue, @Param("limit") int limit);

    int deleteWaiting(WaitingRow row);

    List<ScheduledRow> lockScheduled(@Param("queue") int queue, @Param("limit") int limit);

    int deleteScheduled(ScheduledRow row);

    int deleteParked(@Param("queue") int queue, @Param("limit") int limit);

    /** A subscription that is draining, with its queue. */
    record DrainingRow(String topic, String name, int queue) {}

    /** The primary key of a message in a lane. */
    record WaitingRow(int queue, int lane, long id) {}

    /** The primary key of a scheduled message. */
    record ScheduledRow(Instant dueAt, long id) {}
}

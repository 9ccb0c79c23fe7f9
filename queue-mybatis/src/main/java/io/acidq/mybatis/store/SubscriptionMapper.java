package io.acidq.mybatis.store;

import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.store.SubscriptionStore.SourceMessage;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
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

    int insertPlace(NewPlace place);

    int insertPlaceAt(@Param("queue") int queue, @Param("id") long id);

    int deletePlace(@Param("queue") int queue, @Param("id") long id);

    boolean hasArchive(@Param("queue") int queue);

    List<SourceMessage> published(
            @Param("source") int source, @Param("target") int target, @Param("since") Instant since);

    List<UUID> uids(@Param("queue") int queue);

    int copyKey(CopyRow row);

    int copyMessage(CopyRow row);

    int copyScheduled(CopyRow row);

    List<DrainingRow> draining();

    /** Whether a queue has a message that waits, is scheduled or runs. */
    boolean hasMessages(@Param("queue") int queue);

    @Nullable
    Integer lockQueue(@Param("queue") int queue);

    List<WaitingRow> lockWaiting(@Param("queue") int queue, @Param("limit") int limit);

    int deleteWaiting(WaitingRow row);

    List<ScheduledRow> lockScheduled(@Param("queue") int queue, @Param("limit") int limit);

    int deleteScheduled(ScheduledRow row);

    List<WaitingRow> refillMarkers(@Param("queue") int queue);

    @Nullable
    Integer lockLane(@Param("queue") int queue, @Param("lane") int lane);

    int deleteEmptyMarker(WaitingRow marker);

    int copyReceipt(@Param("source") UUID source, @Param("uid") UUID uid);

    List<ParkedRow> lockParked(@Param("queue") int queue, @Param("limit") int limit);

    int deleteParked(ParkedRow row);

    /** A place in a lane; the database sets the id. */
    final class NewPlace {

        final int queue;
        long id;

        NewPlace(int queue) {
            this.queue = queue;
        }
    }

    /** A copy of a message, see {@link io.acidq.store.SubscriptionStore.Copy}. */
    record CopyRow(int source, int target, SourceMessage of, UUID uid, int lane, long id) {}

    /** A subscription that is draining, with its queue. */
    record DrainingRow(String topic, String name, int queue) {}

    /** A message in a lane with its primary key. */
    record WaitingRow(int queue, int lane, long id, UUID uid) {}

    /**
     * A scheduled message with its primary key.
     *
     * @param key its message key
     */
    record ScheduledRow(
            Instant dueAt, long id, UUID uid, @Nullable String key) {}

    /** A parked message with its primary key. */
    record ParkedRow(int queue, String orderingKey, long id, UUID uid) {}
}

package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.QueueStore.StoredQueue;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the table of queues and their lanes. */
interface QueueMapper {

    @Nullable
    QueueRow find(@Param("name") String name);

    @Nullable
    String nameOf(@Param("id") int id);

    int insertQueue(QueueRow queue);

    int changeDeadHeadPolicy(@Param("queue") int queue, @Param("policy") DeadHeadPolicy policy);

    int setPausedIfNot(QueueStateChange change);

    int insertAudit(QueueStateChange change);

    List<StoredQueue> readQueues(@Param("queues") Collection<Integer> queues);

    /** Returns these lanes with the highest id of the messages of each; 0 when it has none. */
    List<ClaimedLane> lastIds(@Param("queue") int queue, @Param("lanes") List<Integer> lanes);

    int raiseLanes(@Param("lanes") Collection<ClaimedLane> lanes);

    int insertLanes(@Param("queue") int queue, @Param("lanes") List<Integer> lanes);

    /**
     * The pause or resumption of a queue.
     *
     * @param action the name of the action in the audit log
     */
    record QueueStateChange(int queue, boolean paused, String action, String actor, String reason) {}

    /** The id and name of a queue. */
    record NumberAndName(int id, String name) {}
}

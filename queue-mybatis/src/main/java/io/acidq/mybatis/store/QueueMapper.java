package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore.QueueRow;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over the dictionary of queues. */
interface QueueMapper {

    @Nullable
    QueueRow find(@Param("name") String name);

    int insertQueue(@Param("name") String name, @Param("lanes") int lanes);

    int changeDeadHeadPolicy(@Param("queue") int queue, @Param("policy") DeadHeadPolicy policy);

    int setPausedIfNot(QueueStateChange change);

    List<Integer> paused(@Param("queues") Collection<Integer> queues);

    List<Lane> directLanes(@Param("queues") Collection<Integer> queues);

    int insertDirectLanes(@Param("lanes") Collection<Lane> lanes);

    int insertLanes(@Param("queue") int queue, @Param("lanes") List<Integer> lanes);

    /**
     * The begin or the end of a queue's pause.
     *
     * @param action what the audit table calls it
     */
    record QueueStateChange(int queue, boolean paused, String action, String actor, String reason) {}

    /** The number and the name of a queue. */
    record QueueName(int id, String name) {}
}

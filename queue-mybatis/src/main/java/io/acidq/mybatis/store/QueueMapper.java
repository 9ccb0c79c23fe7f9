package io.acidq.mybatis.store;

import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over the dictionary of queues. */
interface QueueMapper {

    @Nullable
    QueueRow find(@Param("name") String name);

    int insertQueue(@Param("name") String name, @Param("lanes") int lanes);

    int insertLanes(@Param("queue") int queue, @Param("lanes") List<Integer> lanes);
}

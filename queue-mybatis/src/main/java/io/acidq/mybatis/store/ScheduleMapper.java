package io.acidq.mybatis.store;

import java.time.Instant;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over what waits for its time. */
interface ScheduleMapper {

    List<Integer> queuesDue(@Param("limit") int limit);

    @Nullable
    Integer lockQueue(@Param("queue") int queue);

    List<DueRow> pickDue(@Param("queue") int queue, @Param("limit") int limit);

    List<DueRow> lockDue(@Param("ids") List<Long> ids);

    int copyToHot(@Param("ids") List<Long> ids);

    int deleteMoved(DueRow row);

    @Nullable
    Long nextDueMicros();

    /** A row that is due. */
    record DueRow(Instant dueAt, long id, int lane, String orderKey) {}
}

package io.acidq.mybatis.store;

import io.acidq.store.InspectionStore.Counts;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that count. */
interface BacklogMapper {

    Counts count(@Param("queue") int queue, @Param("most") int most);

    int countUnclaimed(@Param("queue") int queue, @Param("most") int most);

    @Nullable
    Long oldestUnclaimed(@Param("queue") int queue);
}

package io.acidq.mybatis.store;

import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over a row that shows what the server does with locks. */
interface ProbeMapper {

    int insert(@Param("queue") int queue);

    @Nullable
    Long lock(@Param("queue") int queue);

    @Nullable
    Long read(@Param("queue") int queue);

    int change(@Param("queue") int queue);

    int delete(@Param("queue") int queue);
}

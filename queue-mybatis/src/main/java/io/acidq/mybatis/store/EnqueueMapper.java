package io.acidq.mybatis.store;

import java.util.List;
import org.apache.ibatis.annotations.Param;

/** Statements that insert messages. */
interface EnqueueMapper {

    int insertScheduled(@Param("rows") List<InsertRow> rows);

    long maxAllowedPacket();
}

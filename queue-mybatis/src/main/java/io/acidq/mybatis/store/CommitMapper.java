package io.acidq.mybatis.store;

import io.acidq.mybatis.store.MyBatisCommitStore.Awaited;
import io.acidq.mybatis.store.MyBatisCommitStore.Executed;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the server's commits. */
interface CommitMapper {

    @Nullable
    Executed executed();

    Awaited await(@Param("gtid") String gtid, @Param("seconds") long seconds);
}

package io.acidq.mybatis.store;

import java.time.Instant;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** Statements on the inbox, and on the savepoints around its work. */
interface InboxMapper {

    int setSavepoint(@Param("level") int level);

    int releaseSavepoint(@Param("level") int level);

    int rollbackToSavepoint(@Param("level") int level);

    int takeIfFree(
            @Param("consumer") String consumer,
            @Param("keys") List<String> keys,
            @Param("taker") long taker,
            @Param("micros") long micros);

    List<Taken> takers(@Param("consumer") String consumer, @Param("keys") List<String> keys);

    /** A key of the inbox with the random number and the time of the transaction that took it. */
    record Taken(String key, long taker, Instant doneAt) {}
}

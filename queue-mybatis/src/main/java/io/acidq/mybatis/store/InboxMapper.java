package io.acidq.mybatis.store;

import java.time.Instant;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** Statements of the inbox. */
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

    /** A key, and who has taken it when. */
    record Taken(String key, long taker, Instant doneAt) {}
}

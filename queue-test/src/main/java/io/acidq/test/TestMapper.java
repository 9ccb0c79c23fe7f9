package io.acidq.test;

import io.acidq.store.Lane;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that only tests of applications need. */
interface TestMapper {

    List<Row> messages();

    List<Lane> lanes();

    List<Named> queues();

    List<UUID> keyHolders();

    List<Long> inboxTakers();

    int freeKeys(@Param("holders") Collection<UUID> holders);

    int forgetDone(@Param("takers") Collection<Long> takers);

    List<String> filled();

    int clear(@Param("table") String table);

    int ageMessage(@Param("micros") long micros);

    int ageScheduled(@Param("micros") long micros);

    int ageParked(@Param("micros") long micros);

    int ageKey(@Param("micros") long micros);

    int ageInbox(@Param("micros") long micros);

    int ageDead(@Param("micros") long micros);

    int ageCrash(@Param("micros") long micros);

    int ageArchive(@Param("micros") long micros);

    /** A queue. */
    record Named(int id, String name) {}

    /** A message that is not done, as its row holds it. */
    record Row(
            int queue,
            int lane,
            UUID uid,
            @Nullable String key,
            String orderKey,
            String type,
            String headers,
            byte[] payload,
            int attempts,
            Instant enqueuedAt,
            Instant dueAt,
            long dueIn) {}
}

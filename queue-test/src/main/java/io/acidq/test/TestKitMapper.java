package io.acidq.test;

import io.acidq.store.Lane;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that only tests of applications need. */
interface TestKitMapper {

    List<Row> messages();

    List<Lane> lanesWithUnclaimedRows();

    List<QueueName> queues();

    List<UUID> keyHolders();

    List<Long> inboxKeyHolders();

    int deleteKeysHeldBy(@Param("holders") Collection<UUID> holders);

    int deleteInboxKeysHeldBy(@Param("inboxHolders") Collection<Long> inboxHolders);

    List<String> nonEmptyTables();

    int deleteAll(@Param("table") String table);

    int ageMessage(@Param("micros") long micros);

    int ageScheduled(@Param("micros") long micros);

    int ageParked(@Param("micros") long micros);

    int ageKey(@Param("micros") long micros);

    int ageInbox(@Param("micros") long micros);

    int ageDead(@Param("micros") long micros);

    int ageCrash(@Param("micros") long micros);

    int ageArchive(@Param("micros") long micros);

    /** A queue. */
    record QueueName(int id, String name) {}

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

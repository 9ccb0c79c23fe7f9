package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.ArchivedMessage;
import io.acidq.codec.Headers;
import io.acidq.store.Claim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over done messages. */
interface ArchiveMapper {

    int copyIfClaimed(@Param("claim") Claim claim, @Param("keepMicros") long keepMicros);

    @Nullable
    ArchiveRow find(@Param("queue") int queue, @Param("uid") UUID uid);

    List<ArchiveRow> list(
            @Param("queue") int queue,
            @Param("from") Instant from,
            @Param("until") Instant until,
            @Param("limit") int limit);

    /** A done message as its row holds it. */
    record ArchiveRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderKey,
            String type,
            byte[] payload,
            String headers,
            int attempts,
            int crashes,
            Instant enqueuedAt,
            Instant doneAt) {

        ArchivedMessage toArchivedMessage(String queue) {
            return new ArchivedMessage(
                    new MessageId(queue, lane, uid),
                    Optional.ofNullable(key),
                    orderKey.isEmpty() ? Optional.empty() : Optional.of(orderKey),
                    type,
                    payload,
                    Headers.readable(headers),
                    attempts,
                    crashes,
                    enqueuedAt,
                    doneAt);
        }
    }
}

package io.acidq.mybatis.store;

import io.acidq.DeadLetter;
import io.acidq.MessageId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over dead letters. */
interface DeadLetterMapper {

    List<DeadRow> list(@Param("queue") int queue, @Param("limit") int limit);

    int copyToHot(@Param("uid") UUID uid);

    int discardIfDead(@Param("uid") UUID uid);

    /** A dead letter as its row holds it. */
    record DeadRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderKey,
            String type,
            byte[] payload,
            int attempts,
            int deaths,
            String mark,
            Instant diedAt) {

        DeadLetter in(String queue) {
            return new DeadLetter(
                    new MessageId(queue, lane, uid),
                    Optional.ofNullable(key),
                    orderKey.isEmpty() ? Optional.empty() : Optional.of(orderKey),
                    type,
                    payload,
                    attempts,
                    deaths,
                    mark,
                    diedAt);
        }
    }
}

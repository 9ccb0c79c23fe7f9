package io.acidq.mybatis.store;

import io.acidq.store.MessageRow;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as the INSERT wants it: no ordering key is the empty one, and times have microseconds. */
record NewRow(
        int queue,
        int lane,
        UUID uid,
        @Nullable String key,
        String orderKey,
        String type,
        String headers,
        int size,
        byte[] payload,
        @Nullable Instant dueAt,
        long delayMicros) {

    static NewRow of(MessageRow row) {
        Instant at = row.due().at();
        return new NewRow(
                row.queue(),
                row.lane(),
                row.uid(),
                row.key(),
                row.orderKey() == null ? "" : row.orderKey(),
                row.type(),
                row.headers(),
                row.payload().length,
                row.payload(),
                at == null ? null : Micros.notBefore(at),
                row.due().delay() == null ? 0 : Micros.of(row.due().delay()));
    }
}

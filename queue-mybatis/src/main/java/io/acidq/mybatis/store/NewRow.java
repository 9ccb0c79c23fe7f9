package io.acidq.mybatis.store;

import io.acidq.mybatis.session.Columns;
import io.acidq.mybatis.session.PlainStatement;
import io.acidq.store.MessageRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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
        long delayMicros)
        implements PlainStatement.Binder {

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

    @Override
    public void bind(PreparedStatement statement, String name, int place) throws SQLException {
        switch (name) {
            case "queue" -> statement.setInt(place, queue);
            case "lane" -> statement.setInt(place, lane);
            case "uid" -> statement.setBytes(place, Columns.bytes(uid));
            case "key" -> statement.setBytes(place, key == null ? null : Columns.bytes(key));
            case "orderKey" -> statement.setBytes(place, Columns.bytes(orderKey));
            case "type" -> statement.setString(place, type);
            case "headers" -> statement.setBytes(place, Columns.bytes(headers));
            case "size" -> statement.setInt(place, size);
            case "payload" -> statement.setBytes(place, payload);
            default -> throw new IllegalArgumentException("no part of a new message that is due: " + name);
        }
    }
}

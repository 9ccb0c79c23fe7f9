package io.acidq.mybatis.store;

import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.session.RawStatement.Parameters;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.store.EnqueueStore.MessageRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that insert messages, in {@code Enqueue.xml}. {@link io.acidq.mybatis.session.RawStatement} runs two of them. */
interface EnqueueMapper {

    int insertScheduled(@Param("rows") List<InsertRow> rows);

    long maxAllowedPacket();

    /** A message as parameters of an INSERT. A missing ordering key is the empty string, and times have microseconds. */
    record InsertRow(
            int queue,
            int lane,
            UUID uid,
            @Nullable String key,
            String orderingKey,
            String type,
            String headers,
            int size,
            byte[] payload,
            @Nullable Instant dueAt,
            long delayMicros,
            @Nullable Instant expiresAt,
            @Nullable Long expiresMicros)
            implements RawStatement.Binder {

        /** The latest time that all databases can store. */
        private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

        static InsertRow of(MessageRow row) {
            Instant at = row.due().at();
            long delayMicros =
                    row.due().delay() == null ? 0 : Microseconds.of(row.due().delay());
            Duration timeToLive = row.expiry().after();
            Instant expiresAt = row.expiry().at();
            if (timeToLive != null && at != null) {
                expiresAt = latest(at.plus(timeToLive));
            }
            return new InsertRow(
                    row.queue(),
                    row.lane(),
                    row.uid(),
                    row.key(),
                    row.orderingKey() == null ? "" : row.orderingKey(),
                    row.type(),
                    row.headers(),
                    row.payload().length,
                    row.payload(),
                    at == null ? null : Microseconds.notBefore(at),
                    delayMicros,
                    expiresAt == null ? null : Microseconds.notBefore(expiresAt),
                    timeToLive == null ? null : delayMicros + Microseconds.of(timeToLive));
        }

        private static Instant latest(Instant time) {
            return time.isAfter(LATEST) ? LATEST : time;
        }

        boolean expires() {
            return expiresAt != null || expiresMicros != null;
        }

        /** The most bytes that its texts take in a statement. Headers are encoded as ASCII. */
        long maxTextBytes() {
            int chars = type.length() + orderingKey.length() + (key == null ? 0 : key.length());
            return 2L * headers.length() + (long) PacketLimit.BYTES_PER_CHAR * chars;
        }

        /** The most bytes that its parameters take in a statement. */
        long maxBytes() {
            return 2L * size + maxTextBytes();
        }

        @Override
        public int length() {
            return size + headers.length() + 128;
        }

        @Override
        public void bind(Parameters to, String name) throws SQLException {
            switch (name) {
                case "queue" -> to.number(queue);
                case "lane" -> to.number(lane);
                case "uid" -> to.bytes(TypeHandlers.bytes(uid));
                case "key" -> to.bytes(key == null ? null : TypeHandlers.bytes(key));
                case "orderingKey" -> to.bytes(TypeHandlers.bytes(orderingKey));
                case "expiresAt" -> textOrNull(to, expiresAt == null ? null : TIME.format(expiresAt));
                case "expiresMicros" -> numberOrNull(to, expiresMicros);
                case "type" -> to.text(type);
                case "headers" -> to.bytes(TypeHandlers.bytes(headers));
                case "size" -> to.number(size);
                case "payload" -> to.bytes(payload);
                default -> throw new IllegalArgumentException("unknown parameter of a new message: " + name);
            }
        }

        private static void textOrNull(Parameters to, @Nullable String text) throws SQLException {
            if (text == null) {
                to.bytes(null);
            } else {
                to.text(text);
            }
        }

        private static void numberOrNull(Parameters to, @Nullable Long number) throws SQLException {
            if (number == null) {
                to.bytes(null);
            } else {
                to.number(number);
            }
        }
    }
}

package io.acidq.mybatis.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What columns hold, by their places in a row. NULL is null. */
public final class Columns {

    private Columns() {}

    /** Of BINARY(16), most significant byte first. */
    public static @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        if (bytes == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** As a BINARY(16) column takes it. */
    public static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** As a VARBINARY column with UTF-8 takes it. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Of a VARBINARY column with UTF-8. */
    public static @Nullable String text(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** Of DATETIME(6) in UTC: as local date and time, which no driver converts. */
    public static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }
}

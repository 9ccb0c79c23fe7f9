package io.acidq.mybatis.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.apache.ibatis.type.TypeHandlerRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Converts between Java types and columns, for MyBatis and for code that reads rows by column number. A UUID is BINARY(16) with the most significant byte
 * first. Text is its UTF-8 bytes in VARBINARY, so that equality does not depend on a collation. An instant is DATETIME(6) in UTC. NULL is null.
 */
public final class TypeHandlers {

    private TypeHandlers() {}

    static void register(Configuration configuration) {
        TypeHandlerRegistry handlers = configuration.getTypeHandlerRegistry();
        handlers.register(UUID.class, new UuidHandler());
        handlers.register(Instant.class, new UtcInstantHandler());
        handlers.register(String.class, JdbcType.VARBINARY, new Utf8Handler());
    }

    public static @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        if (bytes == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    public static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** Reads text from a VARBINARY column. */
    public static @Nullable String text(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** Converts text for a VARBINARY column. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Reads a LocalDateTime, which drivers do not convert. A java.sql.Timestamp would depend on the time zones of the JVM and of the session. */
    public static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }

    /**
     * Base class for readers that use column numbers.
     *
     * @param <T> the type of the value or row that is read
     */
    public abstract static class RowHandler<T> extends BaseTypeHandler<T> {

        @Override
        public final @Nullable T getNullableResult(ResultSet row, String column) throws SQLException {
            return getNullableResult(row, row.findColumn(column));
        }

        @Override
        public final T getNullableResult(CallableStatement call, int column) {
            throw new UnsupportedOperationException("AcidQ calls no procedures");
        }

        @Override
        public void setNonNullParameter(PreparedStatement statement, int i, T value, JdbcType type)
                throws SQLException {
            throw new UnsupportedOperationException("not a parameter: " + value);
        }
    }

    private static final class UuidHandler extends RowHandler<UUID> {

        @Override
        public void setNonNullParameter(PreparedStatement ps, int i, UUID value, JdbcType type) throws SQLException {
            ps.setBytes(i, bytes(value));
        }

        @Override
        public @Nullable UUID getNullableResult(ResultSet row, int column) throws SQLException {
            return uuid(row, column);
        }
    }

    private static final class Utf8Handler extends RowHandler<String> {

        @Override
        public void setNonNullParameter(PreparedStatement ps, int i, String value, JdbcType type) throws SQLException {
            ps.setBytes(i, bytes(value));
        }

        @Override
        public @Nullable String getNullableResult(ResultSet row, int column) throws SQLException {
            return text(row, column);
        }
    }

    /** Sends text: a driver may cut the fraction off a time, as MySQL's does with {@code sendFractionalSeconds=false}, and no row would match it. */
    private static final class UtcInstantHandler extends RowHandler<Instant> {

        private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                        "uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        @Override
        public void setNonNullParameter(PreparedStatement ps, int i, Instant value, JdbcType type) throws SQLException {
            ps.setString(i, MICROS.format(value));
        }

        @Override
        public @Nullable Instant getNullableResult(ResultSet row, int column) throws SQLException {
            return instant(row, column);
        }
    }
}

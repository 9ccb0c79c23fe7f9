package io.acidq.mybatis.session;

import java.nio.ByteBuffer;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/** UUID as BINARY(16), most significant byte first. */
final class UuidHandler extends BaseTypeHandler<UUID> {

    @Override
    public void setNonNullParameter(PreparedStatement ps, int i, UUID value, JdbcType type) throws SQLException {
        ps.setBytes(
                i,
                ByteBuffer.allocate(16)
                        .putLong(value.getMostSignificantBits())
                        .putLong(value.getLeastSignificantBits())
                        .array());
    }

    @Override
    public @Nullable UUID getNullableResult(ResultSet rs, String column) throws SQLException {
        return uuid(rs.getBytes(column));
    }

    @Override
    public @Nullable UUID getNullableResult(ResultSet rs, int column) throws SQLException {
        return uuid(rs.getBytes(column));
    }

    @Override
    public @Nullable UUID getNullableResult(CallableStatement cs, int column) throws SQLException {
        return uuid(cs.getBytes(column));
    }

    private static @Nullable UUID uuid(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}

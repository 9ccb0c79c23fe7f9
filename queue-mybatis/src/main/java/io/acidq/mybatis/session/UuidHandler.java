package io.acidq.mybatis.session;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/** UUID as BINARY(16), most significant byte first. */
final class UuidHandler extends RowHandler<UUID> {

    @Override
    public void setNonNullParameter(PreparedStatement ps, int i, UUID value, JdbcType type) throws SQLException {
        ps.setBytes(i, Columns.bytes(value));
    }

    @Override
    public @Nullable UUID getNullableResult(ResultSet row, int column) throws SQLException {
        return Columns.uuid(row, column);
    }
}

package io.acidq.mybatis.session;

import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/** Text as its bytes of UTF-8 in a VARBINARY column: no collation has a say in what is equal. */
final class Utf8Handler extends BaseTypeHandler<String> {

    @Override
    public void setNonNullParameter(PreparedStatement ps, int i, String value, JdbcType type) throws SQLException {
        ps.setBytes(i, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable String getNullableResult(ResultSet rs, String column) throws SQLException {
        return text(rs.getBytes(column));
    }

    @Override
    public @Nullable String getNullableResult(ResultSet rs, int column) throws SQLException {
        return text(rs.getBytes(column));
    }

    @Override
    public @Nullable String getNullableResult(CallableStatement cs, int column) throws SQLException {
        return text(cs.getBytes(column));
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}

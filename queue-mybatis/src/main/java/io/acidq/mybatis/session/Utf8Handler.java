package io.acidq.mybatis.session;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/** Text as its bytes of UTF-8 in a VARBINARY column: no collation has a say in what is equal. */
final class Utf8Handler extends RowHandler<String> {

    @Override
    public void setNonNullParameter(PreparedStatement ps, int i, String value, JdbcType type) throws SQLException {
        ps.setBytes(i, Columns.bytes(value));
    }

    @Override
    public @Nullable String getNullableResult(ResultSet row, int column) throws SQLException {
        return Columns.text(row, column);
    }
}

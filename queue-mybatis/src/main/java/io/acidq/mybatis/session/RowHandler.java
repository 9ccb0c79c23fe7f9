package io.acidq.mybatis.session;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/**
 * Reads results from a row by the places of columns; AcidQ calls no procedures.
 *
 * @param <T> what it reads: a value, or something made of the whole row
 */
public abstract class RowHandler<T> extends BaseTypeHandler<T> {

    @Override
    public final @Nullable T getNullableResult(ResultSet row, String column) throws SQLException {
        return getNullableResult(row, row.findColumn(column));
    }

    @Override
    public final T getNullableResult(CallableStatement call, int column) {
        throw new UnsupportedOperationException("AcidQ calls no procedures");
    }

    @Override
    public void setNonNullParameter(PreparedStatement statement, int i, T value, JdbcType type) throws SQLException {
        throw new UnsupportedOperationException("not a parameter: " + value);
    }
}

package io.acidq.mybatis.store;

import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Reads a whole row by the places of its columns, which are those of {@code Claims.head}. MyBatis' own way to a constructor, by names and
 * reflection, was two fifths of all that the engine allocated.
 */
final class HeadRowHandler extends RowHandler<HeadRow> {

    @Override
    public HeadRow getNullableResult(ResultSet row, int first) throws SQLException {
        return new HeadRow(
                row.getLong(1),
                Objects.requireNonNull(TypeHandlers.uuid(row, 2)),
                TypeHandlers.text(row, 3),
                Objects.requireNonNull(TypeHandlers.text(row, 4)),
                row.getString(5),
                Objects.requireNonNull(TypeHandlers.text(row, 6)),
                row.getBytes(7),
                row.getInt(8),
                row.getInt(9),
                row.getInt(10),
                row.getInt(11),
                row.getInt(12),
                Objects.requireNonNull(TypeHandlers.instant(row, 13)),
                Objects.requireNonNull(TypeHandlers.instant(row, 14)),
                row.getLong(15),
                row.getLong(16));
    }
}

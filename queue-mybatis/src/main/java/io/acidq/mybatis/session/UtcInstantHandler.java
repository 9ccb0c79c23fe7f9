package io.acidq.mybatis.session;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/**
 * Instants as DATETIME(6) in UTC. As local date and time, which no driver converts: java.sql.Timestamp would bring in the zones of the
 * JVM and of the session.
 */
final class UtcInstantHandler extends RowHandler<Instant> {

    @Override
    public void setNonNullParameter(PreparedStatement ps, int i, Instant value, JdbcType type) throws SQLException {
        ps.setObject(i, LocalDateTime.ofInstant(value, ZoneOffset.UTC));
    }

    @Override
    public @Nullable Instant getNullableResult(ResultSet row, int column) throws SQLException {
        return Columns.instant(row, column);
    }
}

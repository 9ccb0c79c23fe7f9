package io.acidq.mybatis.session;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/**
 * Instants as DATETIME(6) in UTC. As local date and time, which no driver converts: java.sql.Timestamp would bring in the zones of the
 * JVM and of the session.
 */
final class UtcInstantHandler extends BaseTypeHandler<Instant> {

    @Override
    public void setNonNullParameter(PreparedStatement ps, int i, Instant value, JdbcType type) throws SQLException {
        ps.setObject(i, LocalDateTime.ofInstant(value, ZoneOffset.UTC));
    }

    @Override
    public @Nullable Instant getNullableResult(ResultSet rs, String column) throws SQLException {
        return instant(rs.getObject(column, LocalDateTime.class));
    }

    @Override
    public @Nullable Instant getNullableResult(ResultSet rs, int column) throws SQLException {
        return instant(rs.getObject(column, LocalDateTime.class));
    }

    @Override
    public @Nullable Instant getNullableResult(CallableStatement cs, int column) throws SQLException {
        return instant(cs.getObject(column, LocalDateTime.class));
    }

    private static @Nullable Instant instant(@Nullable LocalDateTime time) {
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }
}

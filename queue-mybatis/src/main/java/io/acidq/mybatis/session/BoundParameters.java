package io.acidq.mybatis.session;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Parameters as the driver takes them. */
final class BoundParameters implements Parameters {

    private final PreparedStatement statement;
    private int place;

    BoundParameters(PreparedStatement statement) {
        this.statement = statement;
    }

    @Override
    public void number(long number) throws SQLException {
        statement.setLong(++place, number);
    }

    @Override
    public void bytes(byte @Nullable [] bytes) throws SQLException {
        statement.setBytes(++place, bytes);
    }

    @Override
    public void text(String text) throws SQLException {
        statement.setString(++place, text);
    }
}

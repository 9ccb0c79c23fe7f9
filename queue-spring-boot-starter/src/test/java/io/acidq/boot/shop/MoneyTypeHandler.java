package io.acidq.boot.shop;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.apache.ibatis.type.MappedTypes;

@MappedTypes(Money.class)
public class MoneyTypeHandler extends BaseTypeHandler<Money> {

    @Override
    public void setNonNullParameter(PreparedStatement statement, int i, Money money, JdbcType type)
            throws SQLException {
        statement.setString(i, money.cents() + " cents");
    }

    @Override
    public Money getNullableResult(ResultSet rows, String column) throws SQLException {
        return parse(rows.getString(column));
    }

    @Override
    public Money getNullableResult(ResultSet rows, int column) throws SQLException {
        return parse(rows.getString(column));
    }

    @Override
    public Money getNullableResult(CallableStatement statement, int column) throws SQLException {
        return parse(statement.getString(column));
    }

    private static Money parse(String text) {
        return text == null ? null : new Money(Long.parseLong(text.replace(" cents", "")));
    }
}

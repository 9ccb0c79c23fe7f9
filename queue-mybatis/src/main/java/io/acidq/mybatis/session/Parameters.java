package io.acidq.mybatis.session;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes the parameters of a statement, one after the other. */
public interface Parameters {

    void number(long number) throws SQLException;

    /** Of a binary column; null is NULL. */
    void bytes(byte @Nullable [] bytes) throws SQLException;

    /** Of a column of characters. */
    void text(String text) throws SQLException;
}

package io.acidq.boot;

import java.sql.SQLException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/** Thrown if the database of an engine provides no connection at startup. */
final class DatabaseUnreachableException extends CannotGetJdbcConnectionException {

    private static final long serialVersionUID = 1L;

    DatabaseUnreachableException(SQLException cause) {
        super("AcidQ cannot reach its database", cause);
    }
}

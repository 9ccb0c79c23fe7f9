package io.acidq.boot;

import java.sql.SQLException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/** Thrown when an engine's database gives no connection while the application starts. */
final class DatabaseUnreachableException extends CannotGetJdbcConnectionException {

    private static final long serialVersionUID = 1L;

    DatabaseUnreachableException(SQLException cause) {
        super("AcidQ can not reach its database", cause);
    }
}

package io.acidq.boot;

import java.sql.SQLException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/** An engine's database gives no connection while the application starts. */
final class UnreachedException extends CannotGetJdbcConnectionException {

    private static final long serialVersionUID = 1L;

    UnreachedException(SQLException cause) {
        super("AcidQ can not reach its database", cause);
    }
}

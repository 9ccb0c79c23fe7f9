package io.acidq.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/**
 * The connections of the dashboard to a database. It opens them when they are needed, and closes those that are idle for a minute. When it cannot connect, the error says
 * why, as that of the driver does.
 */
final class ConnectionPool extends HikariDataSource {

    /** Two for requests, two for the doctor and two for bulk actions, and some in case one of these asks for a second one. */
    private static final int MOST = 8;

    private static final Duration WAIT = Duration.ofSeconds(3);
    private static final Duration KEPT = Duration.ofMinutes(1);

    ConnectionPool(DirectDataSource database) {
        super(config(database));
    }

    private static HikariConfig config(DirectDataSource database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(MOST);
        config.setMinimumIdle(0);
        config.setIdleTimeout(KEPT.toMillis());
        config.setConnectionTimeout(WAIT.toMillis());
        config.setInitializationFailTimeout(-1); // the dashboard also starts while a database is away
        return config;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return super.getConnection();
        } catch (SQLTransientConnectionException e) {
            throw e.getCause() instanceof SQLException cause ? cause : e;
        }
    }
}

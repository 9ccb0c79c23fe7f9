package io.acidq.dashboard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.testservers.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source of a lambda. */
@FunctionalInterface
public interface TestDataSource extends DataSource {

    /** Returns a pool, so that a request of a test does not open a connection. */
    static HikariDataSource pool(TestDatabase database) {
        TestDataSource direct = database::connect;
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(50);
        return new HikariDataSource(config);
    }

    @Override
    Connection getConnection() throws SQLException;

    @Override
    default Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    @Override
    default PrintWriter getLogWriter() {
        return new PrintWriter(System.err, true);
    }

    @Override
    default void setLogWriter(PrintWriter out) {}

    @Override
    default void setLoginTimeout(int seconds) {}

    @Override
    default int getLoginTimeout() {
        return 0;
    }

    @Override
    default Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    default <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    default boolean isWrapperFor(Class<?> type) {
        return false;
    }
}

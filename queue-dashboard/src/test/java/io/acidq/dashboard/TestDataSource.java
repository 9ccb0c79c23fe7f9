package io.acidq.dashboard;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source without a pool. */
@FunctionalInterface
public interface TestDataSource extends DataSource {

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

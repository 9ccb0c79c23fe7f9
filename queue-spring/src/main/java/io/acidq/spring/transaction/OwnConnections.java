package io.acidq.spring.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Takes connections as if there were no transaction on the thread: a routing {@code DataSource} chooses the server by the attributes of that
 * transaction, such as a replica if it is read-only.
 */
final class OwnConnections extends DelegatingDataSource {

    OwnConnections(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        boolean isReadOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        String name = TransactionSynchronizationManager.getCurrentTransactionName();
        if (!isReadOnly && isolation == null && name == null) {
            return super.getConnection();
        }
        TransactionSynchronizationManager.setCurrentTransactionReadOnly(false);
        TransactionSynchronizationManager.setCurrentTransactionIsolationLevel(null);
        TransactionSynchronizationManager.setCurrentTransactionName(null);
        try {
            return connected(super.getConnection());
        } finally {
            TransactionSynchronizationManager.setCurrentTransactionReadOnly(isReadOnly);
            TransactionSynchronizationManager.setCurrentTransactionIsolationLevel(isolation);
            TransactionSynchronizationManager.setCurrentTransactionName(name);
        }
    }

    /** Lets a lazy connection choose its server now, which it does at the first call of this kind. */
    private static Connection connected(Connection connection) throws SQLException {
        try {
            connection.getMetaData();
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }
}

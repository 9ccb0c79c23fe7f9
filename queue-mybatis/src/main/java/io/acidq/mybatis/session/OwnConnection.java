package io.acidq.mybatis.session;

import io.acidq.mybatis.session.SessionMapper.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection borrowed from the DataSource and prepared for its use: READ COMMITTED, autocommit off or on, short waits. Every setting is put
 * back before the connection is. Confined to one thread at a time.
 */
final class OwnConnection {

    /** A frozen process must not hold a lane for the server's default of eight hours, nor an ALTER stop a claim for a year. */
    private static final Waits SHORT = new Waits(1, 10, 10);

    private static final int LEVEL = Connection.TRANSACTION_READ_COMMITTED;

    private static final int NETWORK_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final Connection connection;
    private final Sessions sessions;
    private final Use use;
    private final boolean autoCommit;
    private final boolean ownAutoCommit;
    private final int networkTimeout;
    private final @Nullable Waits waits;
    private final int isolation;
    private final long borrowed = System.nanoTime();
    private long lastUse;

    /** What it is for. */
    enum Use {
        TRANSACTIONS,
        /** Single statements, each of which is a transaction of its own. */
        READS,
        /** Single statements that touch no table: nothing has to be set for them, and they begin no transaction. */
        WAITS
    }

    private OwnConnection(Connection connection, Sessions sessions, Use use) throws SQLException {
        this.connection = connection;
        this.sessions = sessions;
        this.use = use;
        this.autoCommit = connection.getAutoCommit();
        this.networkTimeout = connection.getNetworkTimeout();
        this.ownAutoCommit = use == Use.WAITS ? autoCommit : use == Use.READS;
        if (autoCommit != ownAutoCommit) {
            connection.setAutoCommit(ownAutoCommit);
        }
        connection.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
        this.isolation = use == Use.WAITS ? LEVEL : connection.getTransactionIsolation();
        this.waits = use == Use.WAITS || sessions.vendor(connection) == Vendor.H2 ? null : shortenWaits();
        endTransaction(); // isolation can not be changed inside one
        if (isolation != LEVEL) {
            connection.setTransactionIsolation(LEVEL);
        }
    }

    static OwnConnection borrow(Sessions sessions, Use use) throws SQLException {
        Connection connection = sessions.dataSource().getConnection();
        try {
            return new OwnConnection(connection, sessions, use);
        } catch (SQLException | RuntimeException e) {
            RuntimeException said = Failures.of("preparing a connection of AcidQ's own", e, connection);
            Sessions.evict(connection);
            throw said;
        }
    }

    private Waits shortenWaits() throws SQLException {
        try (SqlSession session = sessions.open(connection)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            Waits before = mapper.waits();
            mapper.setWaits(SHORT);
            return before;
        }
    }

    Connection connection() {
        return connection;
    }

    void used() {
        lastUse = System.nanoTime();
    }

    Use use() {
        return use;
    }

    boolean isTransactional() {
        return use == Use.TRANSACTIONS;
    }

    boolean isIdleSince(Duration time) {
        return System.nanoTime() - lastUse > time.toNanos();
    }

    boolean isOlderThan(Duration time) {
        return System.nanoTime() - borrowed > time.toNanos();
    }

    /** Puts every setting back, and the connection. */
    void giveBack() {
        try {
            if (waits != null) {
                try (SqlSession session = sessions.open(connection)) {
                    session.getMapper(SessionMapper.class).setWaits(waits);
                }
                endTransaction();
            }
            if (isolation != LEVEL) {
                connection.setTransactionIsolation(isolation);
            }
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            if (autoCommit != ownAutoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            connection.close();
        } catch (SQLException | RuntimeException e) {
            Sessions.evict(connection);
        }
    }

    private void endTransaction() throws SQLException {
        if (isTransactional()) {
            connection.rollback();
        }
    }

    /** Rolls back; false when not even that was possible. */
    boolean rollBack() {
        try {
            endTransaction();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    void evict() {
        Sessions.evict(connection);
    }
}

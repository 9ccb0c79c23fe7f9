package io.acidq.mybatis.session;

import io.acidq.mybatis.session.SessionMapper.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection borrowed from the DataSource and prepared for short transactions, or for single reads: READ COMMITTED, autocommit off or on,
 * short waits. Every setting is put back before the connection is. Confined to one thread at a time.
 */
final class OwnConnection {

    /** A frozen process must not hold a lane for the server's default of eight hours, nor an ALTER stop a claim for a year. */
    private static final Waits SHORT = new Waits(1, 10, 10);

    /** What only reads holds nothing between two statements, and is kept for longer. */
    private static final Waits FOR_READS = new Waits(1, 10, 30);

    private static final int NETWORK_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final Connection connection;
    private final Sessions sessions;
    private final boolean reads;
    private final boolean autoCommit;
    private final int isolation;
    private final int networkTimeout;
    private final @Nullable Waits waits;
    private final long borrowed = System.nanoTime();
    private long lastUse;
    private boolean mayHaveCommitted;

    private OwnConnection(Connection connection, Sessions sessions, boolean reads) throws SQLException {
        this.connection = connection;
        this.sessions = sessions;
        this.reads = reads;
        this.autoCommit = connection.getAutoCommit();
        this.isolation = connection.getTransactionIsolation();
        this.networkTimeout = connection.getNetworkTimeout();
        if (!autoCommit) {
            connection.rollback(); // what the pool asked when it gave it may have begun a transaction
        }
        if (autoCommit != reads) {
            connection.setAutoCommit(reads);
        }
        // before any statement: it can not be changed inside a transaction
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        connection.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
        try (SqlSession session = sessions.open(connection)) {
            this.waits = waits(session, sessions.vendor(connection), reads ? FOR_READS : SHORT);
        }
    }

    /**
     * Prepares one; one that can not be is gone.
     *
     * @param connection from the DataSource
     * @param reads      whether each statement is to be a transaction of its own
     */
    static OwnConnection prepare(Connection connection, Sessions sessions, boolean reads) {
        try {
            return new OwnConnection(connection, sessions, reads);
        } catch (SQLException | RuntimeException e) {
            RuntimeException said = Failures.of("preparing a connection of AcidQ's own", e, connection);
            Sessions.evict(connection);
            throw said;
        }
    }

    /** Those that it had before. */
    private static @Nullable Waits waits(SqlSession session, Vendor vendor, Waits wanted) {
        if (vendor == Vendor.H2) {
            return null;
        }
        SessionMapper mapper = session.getMapper(SessionMapper.class);
        Waits before = mapper.waits();
        mapper.setWaits(wanted);
        return before;
    }

    Connection connection() {
        return connection;
    }

    /** It was in use until now, by {@link System#nanoTime}. */
    void used(long now) {
        lastUse = now;
    }

    /** Whether each statement is a transaction of its own. */
    boolean reads() {
        return reads;
    }

    boolean isIdleFor(Duration time, long now) {
        return untilIdleFor(time, now) <= 0;
    }

    /** Nanoseconds. */
    long untilIdleFor(Duration time, long now) {
        return lastUse + time.toNanos() - now;
    }

    boolean isOlderThan(Duration time, long now) {
        return now - borrowed > time.toNanos();
    }

    /** Puts every setting back, and the connection; false when that failed, and it is gone. */
    boolean giveBack() {
        try {
            if (waits != null) {
                try (SqlSession session = sessions.open(connection)) {
                    session.getMapper(SessionMapper.class).setWaits(waits);
                }
                endTransaction();
            }
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            if (autoCommit != reads) {
                connection.setAutoCommit(autoCommit);
            }
            connection.close();
            return true;
        } catch (SQLException | RuntimeException e) {
            Sessions.evict(connection);
            return false;
        }
    }

    void commit() throws SQLException {
        mayHaveCommitted = true;
        connection.commit();
        mayHaveCommitted = false;
    }

    /** Whether a COMMIT was sent that has failed: nobody knows what became of it. */
    boolean mayHaveCommitted() {
        return mayHaveCommitted;
    }

    private void endTransaction() throws SQLException {
        if (!reads) {
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

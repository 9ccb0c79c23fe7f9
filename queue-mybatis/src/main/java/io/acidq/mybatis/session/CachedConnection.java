package io.acidq.mybatis.session;

import io.acidq.AcidqException;
import io.acidq.mybatis.session.SessionMapper.SessionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.ibatis.session.SqlSession;

/**
 * A connection of the pool with changed settings, for one or several consecutive uses. Every setting is restored before the connection returns to the
 * pool. Confined to one thread at a time.
 */
public final class CachedConnection {

    // Shorter than the defaults of the server, with which a frozen process locks a lane for eight hours and a claim
    // waits a year for an ALTER.
    private static final long ROW_WAIT_SECONDS = 1;
    private static final long TABLE_WAIT_SECONDS = 10;
    private static final long IDLE_SECONDS = 10;

    /** A connection that only reads has no locks between two statements and is kept longer. */
    private static final long IDLE_SECONDS_OF_READS = 30;

    private static final Duration ANSWER_TO_STORE = Duration.ofSeconds(30);
    private static final Duration ANSWER_TO_HEARTBEAT = Duration.ofSeconds(5);
    private static final String READ_COMMITTED = "READ-COMMITTED";
    private static final String MARIADB_DRIVER = "org.mariadb.jdbc.";

    private final Connection connection;
    private final MyBatisSessions sessions;
    private final boolean forReads;
    private final long borrowedAt = System.nanoTime();

    /** The steps that restore the changed settings, the last change first. */
    private final Deque<Step> restores = new ArrayDeque<>(4);

    private long lastUse;
    private boolean mayHaveCommitted;
    private boolean hadTransaction;
    private boolean sessionIsReadCommitted;

    private CachedConnection(Connection connection, MyBatisSessions sessions, boolean reads) {
        this.connection = connection;
        this.sessions = sessions;
        this.forReads = reads;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    /**
     * Prepares a connection for short transactions of the store, or for single reads: READ COMMITTED, short waits, and no setting
     * that limits statements. Closes the connection if this fails.
     *
     * @param connection a connection of the DataSource
     * @param reads      whether each statement is a transaction of its own
     */
    static CachedConnection forStore(Connection connection, MyBatisSessions sessions, boolean reads) {
        CachedConnection own = new CachedConnection(connection, sessions, reads);
        return own.prepare("preparing a connection for AcidQ", () -> {
            boolean autoCommit = connection.getAutoCommit();
            int isolation = connection.getTransactionIsolation();
            if (!autoCommit) {
                // the calls above, or the pool's test of the connection, may have begun a transaction
                connection.rollback();
            }
            own.setAutoCommit(autoCommit, reads);
            own.setNetworkTimeout(ANSWER_TO_STORE);
            // before any statement, because it cannot be changed inside a transaction
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                own.restores.push(() -> connection.setTransactionIsolation(isolation));
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            own.change(s ->
                    s.withWaits(ROW_WAIT_SECONDS, TABLE_WAIT_SECONDS, reads ? IDLE_SECONDS_OF_READS : IDLE_SECONDS));
        });
    }

    /** Prepares a connection for the heartbeat, with autocommit on. A connection without an answer in time is lost. */
    static CachedConnection forHeartbeat(Connection connection, MyBatisSessions sessions, String what) {
        CachedConnection own = new CachedConnection(connection, sessions, true);
        return own.prepare(what, () -> {
            own.setNetworkTimeout(ANSWER_TO_HEARTBEAT);
            own.setAutoCommit(connection.getAutoCommit(), true);
            own.change(SessionSettings::unlimited);
        });
    }

    /** Prepares a connection for reads of the schema: no setting limits the statements or their results. */
    public static CachedConnection forSchema(Connection connection, MyBatisSessions sessions, String what)
            throws SQLException {
        CachedConnection own = new CachedConnection(connection, sessions, connection.getAutoCommit());
        return own.prepare(what, () -> own.change(SessionSettings::unlimited));
    }

    /** Prepares a connection for transactions of the application and of handlers, with autocommit off. */
    public static CachedConnection forApplication(Connection connection, MyBatisSessions sessions, String what) {
        CachedConnection own = new CachedConnection(connection, sessions, false);
        return own.prepare(what, () -> own.setAutoCommit(connection.getAutoCommit(), false));
    }

    private CachedConnection prepare(String what, Step steps) {
        try {
            steps.run();
            return this;
        } catch (SQLException | RuntimeException e) {
            AcidqException translated = ExceptionTranslator.translate(what, e, connection);
            evict();
            throw translated;
        }
    }

    private void setAutoCommit(boolean before, boolean wanted) throws SQLException {
        if (before != wanted) {
            restores.push(() -> connection.setAutoCommit(before));
            connection.setAutoCommit(wanted);
        }
    }

    /** Switches autocommit off again if the pool has switched it on at the end of a transaction. Without a statement if it is off. */
    public void keepAutoCommitOff() throws SQLException {
        if (connection.getAutoCommit()) {
            connection.setAutoCommit(false);
        }
    }

    private void setNetworkTimeout(Duration timeout) throws SQLException {
        int before = connection.getNetworkTimeout();
        restores.push(() -> connection.setNetworkTimeout(Runnable::run, before));
        connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
    }

    private void change(UnaryOperator<SessionSettings> change) throws SQLException {
        if (sessions.vendor(connection) == Vendor.H2) {
            return;
        }
        try (SqlSession session = sessions.open(connection)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            SessionSettings before = mapper.settings();
            SessionSettings wanted = change.apply(before);
            sessions.setMaxAllowedPacket(before.maxAllowedPacket());
            if (wanted.equals(before)) {
                return;
            }
            restores.push(() -> {
                execute(settings -> settings.change(wanted, before));
                endTransaction();
            });
            mapper.change(before, wanted);
            if (!wanted.completionType().equals(before.completionType())) {
                endTransaction(); // the previous end has begun a transaction at the previous isolation level
            }
        }
    }

    private void execute(Consumer<SessionMapper> statement) throws SQLException {
        try (SqlSession session = sessions.open(connection)) {
            statement.accept(session.getMapper(SessionMapper.class));
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Whether each statement is a transaction of its own. */
    boolean isForReads() {
        return forReads;
    }

    /** Records the end of a use, by {@link System#nanoTime}. */
    void markUsed(long now) {
        lastUse = now;
    }

    boolean isIdleFor(Duration time, long now) {
        return untilIdleFor(time, now) <= 0;
    }

    /** Returns the nanoseconds until the connection has been idle for this time. */
    long untilIdleFor(Duration time, long now) {
        return lastUse + time.toNanos() - now;
    }

    /** Whether the connection was borrowed from the pool longer ago than this time. */
    public boolean isOlderThan(Duration time, long now) {
        return now - borrowedAt > time.toNanos();
    }

    /**
     * Sets READ COMMITTED for the next transaction: the first time for this transaction only, later as a setting of the session. If the connections of
     * the pool have READ COMMITTED by default, one query serves all transactions.
     */
    public void useReadCommitted() throws SQLException {
        if (sessionIsReadCommitted || sessions.vendor(connection) == Vendor.H2) {
            return;
        }
        try (SqlSession session = sessions.open(connection)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            if (hadTransaction || sessions.isReadCommittedByDefault()) {
                String before = mapper.isolation();
                boolean readCommitted = before.equals(READ_COMMITTED);
                sessions.setReadCommittedByDefault(readCommitted);
                if (!readCommitted) {
                    restores.push(() -> execute(settings -> settings.setIsolation(before)));
                    mapper.setIsolation(READ_COMMITTED);
                }
                sessionIsReadCommitted = true;
            } else {
                mapper.readCommittedOnce();
            }
        }
        hadTransaction = true;
    }

    /** Sets the savepoint for {@link #releaseSavepoint}. */
    public void setSavepoint() throws SQLException {
        execute(SessionMapper::setSavepoint);
    }

    /** Removes the savepoint. Throws if the transaction in which it was set has ended, or if the connection is lost. */
    public void releaseSavepoint() throws SQLException {
        execute(SessionMapper::releaseSavepoint);
    }

    /** Lets the session begin a transaction again, in case autocommit was set without the driver's knowledge, as in a stored procedure. */
    public void setAutoCommitOff() throws SQLException {
        if (sessions.vendor(connection) != Vendor.H2) {
            execute(SessionMapper::setAutoCommitOff);
        }
    }

    void commit() throws SQLException {
        mayHaveCommitted = true;
        connection.commit();
        mayHaveCommitted = false;
    }

    /** Whether a COMMIT was sent and failed, so that its outcome is unknown. */
    boolean mayHaveCommitted() {
        return mayHaveCommitted;
    }

    /** Rolls back. Returns false if that failed too. */
    boolean rollBack() {
        try {
            endTransaction();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private void endTransaction() throws SQLException {
        if (!forReads) {
            connection.rollback();
        }
    }

    /** Restores every setting and returns the connection to the pool. If that fails, closes the connection and throws the failure. */
    public void returnToPool() throws SQLException {
        try {
            while (!restores.isEmpty()) {
                restores.pop().run();
            }
            connection.close();
        } catch (SQLException | RuntimeException e) {
            evict();
            throw e;
        }
    }

    /** Closes the connection, so that the pool does not lend it again. */
    public void evict() {
        evict(connection);
    }

    /**
     * Aborts the session, then provokes an error on the connection, because pools remove a connection after an error but not after an abort. A statement
     * provokes the error: for a call of rollback, a driver without an open transaction does nothing.
     */
    public static void evict(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // the session has ended already
        }
        preventReconnect(connection);
        try (Connection closed = connection;
                Statement statement = closed.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // expected: the pool sees this error
        }
    }

    /** With several addresses in its URL, MariaDB's driver reconnects when an aborted connection is used, and tries for half a minute. */
    private static void preventReconnect(Connection aborted) {
        try {
            Connection physical = aborted.unwrap(Connection.class);
            if (physical.getClass().getName().startsWith(MARIADB_DRIVER)) {
                physical.close();
            }
        } catch (SQLException | RuntimeException e) {
            // a proxy that does not expose the wrapped connection
        }
    }
}

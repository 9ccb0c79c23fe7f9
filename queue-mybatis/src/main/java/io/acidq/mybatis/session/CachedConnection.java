package io.acidq.mybatis.session;

import io.acidq.AcidqException;
import io.acidq.mybatis.session.SessionMapper.WaitTimeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.ibatis.session.SqlSession;

/**
 * A connection of the pool with changed settings, for one use or for several one after the other. Every setting is put back before the
 * connection returns to the pool. Confined to one thread at a time.
 */
public final class CachedConnection {

    /** A frozen process must not hold a lane for the server's default of eight hours, nor an ALTER stop a claim for a year. */
    private static final WaitTimeouts FOR_WRITES = new WaitTimeouts(1, 10, 10);

    /** A connection that only reads holds nothing between two statements, and is kept for longer. */
    private static final WaitTimeouts FOR_READS = new WaitTimeouts(1, 10, 30);

    private static final Duration ANSWER_TO_STORE = Duration.ofSeconds(30);
    private static final Duration ANSWER_TO_HEARTBEAT = Duration.ofSeconds(5);
    private static final String READ_COMMITTED = "READ-COMMITTED";
    private static final String MARIADB_DRIVER = "org.mariadb.jdbc.";

    private final Connection connection;
    private final MyBatisSessions sessions;
    private final boolean forReads;
    private final long borrowedAt = System.nanoTime();

    /** Puts the changed settings back, the last one first. */
    private final Deque<Step> restores = new ArrayDeque<>();

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
     * Prepares a connection for short transactions of the store's own, or for single reads: READ COMMITTED, short waits. Drops one that
     * cannot be prepared.
     *
     * @param connection from the DataSource
     * @param reads      whether each statement is a transaction of its own
     */
    static CachedConnection forStore(Connection connection, MyBatisSessions sessions, boolean reads) {
        CachedConnection own = new CachedConnection(connection, sessions, reads);
        return own.prepare("preparing a connection of AcidQ's own", () -> {
            boolean autoCommit = connection.getAutoCommit();
            int isolation = connection.getTransactionIsolation();
            if (!autoCommit) {
                connection.rollback(); // these questions, or one of the pool's, may have begun a transaction
            }
            own.setAutoCommit(autoCommit, reads);
            own.setNetworkTimeout(ANSWER_TO_STORE);
            // before any statement: it cannot be changed inside a transaction
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                own.restores.push(() -> connection.setTransactionIsolation(isolation));
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            own.setWaitTimeouts(reads ? FOR_READS : FOR_WRITES);
        });
    }

    /** Prepares a connection for the heartbeat: autocommit is on, and an answer that does not come in time is a lost connection. */
    static CachedConnection forHeartbeat(Connection connection, MyBatisSessions sessions, String what) {
        CachedConnection own = new CachedConnection(connection, sessions, true);
        return own.prepare(what, () -> {
            own.setNetworkTimeout(ANSWER_TO_HEARTBEAT);
            own.setAutoCommit(connection.getAutoCommit(), true);
        });
    }

    /** Prepares a connection for transactions of the application and of handlers: autocommit is off. */
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

    private void setNetworkTimeout(Duration timeout) throws SQLException {
        int before = connection.getNetworkTimeout();
        restores.push(() -> connection.setNetworkTimeout(Runnable::run, before));
        connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
    }

    private void setWaitTimeouts(WaitTimeouts wanted) throws SQLException {
        if (sessions.vendor(connection) == Vendor.H2) {
            return;
        }
        try (SqlSession session = sessions.open(connection)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            WaitTimeouts before = mapper.waitTimeouts();
            restores.push(() -> {
                execute(settings -> settings.setWaitTimeouts(before));
                endTransaction();
            });
            mapper.setWaitTimeouts(wanted);
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

    /** The connection was in use until now, by {@link System#nanoTime}. */
    void markUsed(long now) {
        lastUse = now;
    }

    boolean isIdleFor(Duration time, long now) {
        return untilIdleFor(time, now) <= 0;
    }

    /** Nanoseconds. */
    long untilIdleFor(Duration time, long now) {
        return lastUse + time.toNanos() - now;
    }

    /** Whether the pool has been without it for longer than that. */
    public boolean isOlderThan(Duration time, long now) {
        return now - borrowedAt > time.toNanos();
    }

    /**
     * Sets READ COMMITTED for the transaction that is about to begin: for the first one by itself, for those that follow by a setting of the session.
     * Where connections come at READ COMMITTED already, one question for all transactions is enough.
     */
    public void useReadCommitted() throws SQLException {
        if (sessionIsReadCommitted || sessions.vendor(connection) == Vendor.H2) {
            return;
        }
        try (SqlSession session = sessions.open(connection)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            if (hadTransaction || sessions.isReadCommittedByDefault()) {
                String before = mapper.isolation();
                boolean came = before.equals(READ_COMMITTED);
                sessions.setReadCommittedByDefault(came);
                if (!came) {
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

    void commit() throws SQLException {
        mayHaveCommitted = true;
        connection.commit();
        mayHaveCommitted = false;
    }

    /** Whether a COMMIT was sent that has failed: whether it took effect is unknown. */
    boolean mayHaveCommitted() {
        return mayHaveCommitted;
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

    private void endTransaction() throws SQLException {
        if (!forReads) {
            connection.rollback();
        }
    }

    /** Puts every setting back and returns the connection to the pool. When that fails, drops it and throws what failed. */
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

    /** Drops the connection: others must not use it. */
    public void evict() {
        evict(connection);
    }

    /**
     * Ends the session for certain, and lets the pool see an error on it: pools drop a connection for that, but not for abort alone. The error is
     * that of a statement: a driver that knows of no transaction does nothing for a rollback.
     */
    public static void evict(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // the session is to end, and it has ended
        }
        closeForGood(connection);
        try (Connection closed = connection;
                Statement statement = closed.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // expected: this is the error for the pool
        }
    }

    /** MariaDB's driver, where the URL has several addresses, makes of an aborted connection a new one when it is used, and tries for half a minute. */
    private static void closeForGood(Connection aborted) {
        try {
            Connection inside = aborted.unwrap(Connection.class);
            if (inside.getClass().getName().startsWith(MARIADB_DRIVER)) {
                inside.close();
            }
        } catch (SQLException | RuntimeException e) {
            // a proxy that does not show the connection inside
        }
    }
}

package io.acidq.mybatis.session;

import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * The connection kept for the heartbeat: an exhausted pool must kill no node. Autocommit is on, and an answer that does not come in time
 * is a lost connection. One thread at a time uses it.
 */
public class NodeConnection {

    private static final int NETWORK_MILLIS = (int) Duration.ofSeconds(5).toMillis();

    private final Sessions sessions;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean autoCommit;
    private int networkTimeout;

    public NodeConnection(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Runs one statement; on a connection that turns out to be lost, once more on a new one. */
    public <T> T run(String what, Function<SqlSession, T> statement) {
        lock.lock();
        try {
            boolean fresh = connection == null;
            try {
                return attempt(statement);
            } catch (SQLException | RuntimeException e) {
                boolean lost = DatabaseError.of(e) == DatabaseError.CONNECTION;
                drop();
                if (fresh || !lost) {
                    throw Failures.of(what, e);
                }
            }
            try {
                return attempt(statement);
            } catch (SQLException | RuntimeException e) {
                drop();
                throw Failures.of(what, e);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives the connection back; the next statement takes another. */
    public void release() {
        lock.lock();
        try {
            Connection held = connection;
            connection = null;
            if (held != null) {
                held.setNetworkTimeout(Runnable::run, networkTimeout);
                held.setAutoCommit(autoCommit);
                held.close();
            }
        } catch (SQLException e) {
            throw Failures.of("release", e);
        } finally {
            lock.unlock();
        }
    }

    private <T> T attempt(Function<SqlSession, T> statement) throws SQLException {
        try (SqlSession session = sessions.open(open())) {
            return statement.apply(session);
        }
    }

    private Connection open() throws SQLException {
        Connection held = connection;
        if (held == null) {
            held = sessions.dataSource().getConnection();
            connection = held;
            autoCommit = held.getAutoCommit();
            networkTimeout = held.getNetworkTimeout();
            held.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
            if (!autoCommit) {
                held.setAutoCommit(true);
            }
        }
        return held;
    }

    private void drop() {
        Connection held = connection;
        connection = null;
        if (held != null) {
            Sessions.evict(held);
        }
    }
}

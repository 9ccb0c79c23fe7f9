package io.acidq.mybatis.session;

import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * The connection of the heartbeat. It is kept from its first statement until {@link #release}, so that no node is declared dead because the pool is
 * exhausted. Thread-safe: statements run one at a time.
 */
final class HeartbeatConnection {

    private final MyBatisSessions sessions;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CachedConnection held;

    HeartbeatConnection(MyBatisSessions sessions) {
        this.sessions = sessions;
    }

    /** Runs one statement. If a kept connection is lost, repeats it once on a new one. */
    <T> T run(String what, Function<SqlSession, T> statement) {
        lock.lock();
        try {
            boolean mayRepeat = held != null;
            while (true) {
                try (SqlSession session = sessions.open(connection(what))) {
                    return statement.apply(session);
                } catch (SQLException | RuntimeException e) {
                    evict();
                    if (!mayRepeat || DatabaseError.of(e) != DatabaseError.CONNECTION) {
                        throw ExceptionTranslator.translate(what, e);
                    }
                    mayRepeat = false;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private Connection connection(String what) throws SQLException {
        CachedConnection connection = held;
        if (connection == null) {
            connection = CachedConnection.forHeartbeat(sessions.dataSource().getConnection(), sessions, what);
            held = connection;
        }
        return connection.connection();
    }

    private void evict() {
        CachedConnection lost = held;
        held = null;
        if (lost != null) {
            lost.evict();
        }
    }

    /** Returns the connection to the pool. The next statement borrows another. */
    void release() {
        lock.lock();
        try {
            CachedConnection released = held;
            held = null;
            if (released != null) {
                released.returnToPool();
            }
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("the return of the heartbeat's connection", e);
        } finally {
            lock.unlock();
        }
    }
}

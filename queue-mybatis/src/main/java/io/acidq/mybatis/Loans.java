package io.acidq.mybatis;

import io.acidq.mybatis.session.Sessions;
import java.sql.Connection;
import java.sql.SQLException;

/** Lends connections, and remembers how they come from the pool. Thread-safe. */
final class Loans {

    private final Sessions sessions;
    private volatile boolean readCommitted;

    Loans(Sessions sessions) {
        this.sessions = sessions;
    }

    Sessions sessions() {
        return sessions;
    }

    Loan take() throws SQLException {
        Connection raw = sessions.dataSource().getConnection();
        try {
            return new Loan(raw, this);
        } catch (SQLException | RuntimeException e) {
            Sessions.evict(raw);
            throw e;
        }
    }

    /** Whether the last connection that was asked came at READ COMMITTED: then it pays to ask the next one first. */
    boolean comeAtReadCommitted() {
        return readCommitted;
    }

    void cameAtReadCommitted(boolean it) {
        readCommitted = it;
    }
}

package io.acidq.mybatis;

import io.acidq.mybatis.session.SessionMapper;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.session.Vendor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection borrowed for one transaction, or for several that a worker begins one after the other. It goes back as it came. */
final class Loan {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransactions.class);
    private static final String READ_COMMITTED = "READ-COMMITTED";

    private final Connection raw;
    private final Sessions sessions;
    private final long since = System.nanoTime();
    private final boolean wasAutoCommit;
    private boolean isUsed;

    /** The session's own level, once every transaction of the loan is at READ COMMITTED. */
    private @Nullable String isolation;

    private Loan(Connection raw, Sessions sessions) throws SQLException {
        this.raw = raw;
        this.sessions = sessions;
        this.wasAutoCommit = raw.getAutoCommit();
        if (wasAutoCommit) {
            raw.setAutoCommit(false);
        }
    }

    static Loan take(Sessions sessions) throws SQLException {
        Connection raw = sessions.dataSource().getConnection();
        try {
            return new Loan(raw, sessions);
        } catch (SQLException | RuntimeException e) {
            Sessions.evict(raw);
            throw e;
        }
    }

    Connection raw() {
        return raw;
    }

    boolean isOlderThan(Duration time) {
        return System.nanoTime() - since > time.toNanos();
    }

    /** The transaction that is about to begin is at READ COMMITTED: the first of a loan by itself, those that follow by a setting of the session. */
    void readCommitted() throws SQLException {
        if (isolation != null || sessions.vendor(raw) == Vendor.H2) {
            return;
        }
        try (SqlSession session = sessions.open(raw)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            if (isUsed) {
                isolation = mapper.isolation();
                if (!isolation.equals(READ_COMMITTED)) {
                    mapper.setIsolation(READ_COMMITTED);
                }
            } else {
                mapper.readCommittedOnce();
            }
        }
        isUsed = true;
    }

    /** With every setting as it was. */
    void giveBack() {
        try {
            if (isolation != null && !isolation.equals(READ_COMMITTED)) {
                try (SqlSession session = sessions.open(raw)) {
                    session.getMapper(SessionMapper.class).setIsolation(isolation);
                }
            }
            if (wasAutoCommit) {
                raw.setAutoCommit(true);
            }
            raw.close();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("the connection could not be set back, and is dropped", e);
            drop();
        }
    }

    /** It is not fit for others. */
    void drop() {
        Sessions.evict(raw);
    }
}

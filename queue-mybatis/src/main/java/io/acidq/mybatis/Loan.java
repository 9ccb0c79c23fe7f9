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
    private final Loans loans;
    private final long since = System.nanoTime();
    private final boolean wasAutoCommit;
    private boolean isUsed;

    /** The session's own level, once every transaction of the loan is at READ COMMITTED. */
    private @Nullable String isolation;

    Loan(Connection raw, Loans loans) throws SQLException {
        this.raw = raw;
        this.loans = loans;
        this.wasAutoCommit = raw.getAutoCommit();
        if (wasAutoCommit) {
            raw.setAutoCommit(false);
        }
    }

    Connection raw() {
        return raw;
    }

    boolean isOlderThan(Duration time) {
        return System.nanoTime() - since > time.toNanos();
    }

    /**
     * The transaction that is about to begin is at READ COMMITTED: the first of a loan by itself, those that follow by a setting of the session.
     * Where connections come at READ COMMITTED already, one question in a loan is all.
     */
    void readCommitted() throws SQLException {
        if (isolation != null || loans.sessions().vendor(raw) == Vendor.H2) {
            return;
        }
        try (SqlSession session = loans.sessions().open(raw)) {
            SessionMapper mapper = session.getMapper(SessionMapper.class);
            if (isUsed || loans.comeAtReadCommitted()) {
                isolation = mapper.isolation();
                loans.cameAtReadCommitted(isolation.equals(READ_COMMITTED));
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
                try (SqlSession session = loans.sessions().open(raw)) {
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

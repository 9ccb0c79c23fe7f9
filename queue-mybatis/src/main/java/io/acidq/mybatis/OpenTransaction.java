package io.acidq.mybatis;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.guard.GuardedConnection;
import io.acidq.mybatis.guard.Verdict;
import io.acidq.mybatis.session.Failures;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction that {@link JdbcTransactions} has begun and will end. */
final class OpenTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransactions.class);

    private final Loan loan;
    private final @Nullable Kept kept;
    private final Connection raw;
    private final Verdict verdict = new Verdict();
    private final Connection guarded;
    private final List<Runnable> hooks = new ArrayList<>();
    private final List<Runnable> otherHooks = new ArrayList<>();
    private boolean committed;
    private boolean broken;

    /**
     * On a connection that is prepared for it.
     *
     * @param kept where the connection stays when all went well; null when it goes back to the pool in any case
     */
    OpenTransaction(Loan loan, @Nullable Kept kept) {
        this.loan = loan;
        this.kept = kept;
        this.raw = loan.raw();
        this.guarded = GuardedConnection.over(raw, verdict);
    }

    Connection raw() {
        return raw;
    }

    Connection guarded() {
        return guarded;
    }

    void afterCommit(Runnable hook) {
        hooks.add(hook);
    }

    void afterEnd(Runnable hook, Runnable otherwise) {
        hooks.add(hook);
        otherHooks.add(otherwise);
    }

    /** Commits, unless what was seen on the connection forbids it. */
    void commit() {
        if (verdict.misuse() != null) {
            throw verdict.misuse();
        }
        SQLException fatal = verdict.fatal();
        if (fatal != null) {
            throw new TransientQueueException(
                    "not committed: the database had already ended this transaction (code " + fatal.getErrorCode()
                            + "), and the work swallowed that error. Let it through: " + fatal.getMessage(),
                    fatal);
        }
        try {
            raw.commit();
            committed = true;
        } catch (SQLException e) {
            if (DatabaseError.of(e) == DatabaseError.CONNECTION) {
                throw new TransientQueueException(
                        "the connection was lost during COMMIT: whether it committed is unknown. Look for your data, or run it again"
                                + " with the same message key, which refuses a second message: " + e.getMessage(),
                        e);
            }
            throw Failures.of("commit", e);
        }
    }

    void rollBack() {
        try {
            raw.rollback();
        } catch (SQLException e) {
            broken = true; // the server rolls back what it loses
            LOG.debug("rollback failed, the connection is dropped", e);
        }
    }

    void close() {
        String change = verdict.change();
        if (change != null) {
            LOG.debug(
                    "{} changed the session of its connection, which is dropped: the next user shall not meet it",
                    change);
        }
        if (broken || change != null) {
            loan.drop();
        } else if (committed && kept != null) {
            kept.keep(loan);
        } else {
            loan.giveBack();
        }
    }

    /** When it is closed. */
    void runHooks() {
        for (Runnable hook : committed ? hooks : otherHooks) {
            try {
                hook.run();
            } catch (
                    Throwable
                            e) { // an Error too: the caller's work is committed, and must not look as if it had failed
                LOG.warn("a hint after the end of a transaction failed; the end stands", e);
            }
        }
    }
}

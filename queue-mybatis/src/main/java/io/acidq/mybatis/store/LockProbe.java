package io.acidq.mybatis.store;

import io.acidq.AcidqException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.DatabaseError;
import io.acidq.store.Locking;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Tries on a row of its own, which it removes again, what claims rely on. Never by the server's version: some parse what they do not do. */
final class LockProbe {

    private static final int NUMBERS = Short.MAX_VALUE;

    /** A syntax error, and what a server parses to refuse it. */
    private static final Set<Integer> NOT_UNDERSTOOD = Set.of(1064, 1235);

    private final MyBatisSessions sessions;
    private final StoreTransactions transactions;
    private final int queue = -ThreadLocalRandom.current().nextInt(1, NUMBERS);

    LockProbe(MyBatisSessions sessions, StoreTransactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
    }

    Locking probe() {
        transactions.runAndKeep("probeLocking", t -> t.mapper(ProbeMapper.class).insert(queue));
        try {
            Locking locking = locking();
            if (locking != Locking.UNKNOWN) {
                return locking.isSound() && !showsCommits() ? Locking.READS_OLD : locking;
            }
            sessions.waitForLocks();
            return locking() == Locking.LOCKS_NOTHING ? Locking.LOCKS_NOTHING : Locking.UNKNOWN;
        } finally {
            transactions.runAndKeep(
                    "probeLocking", t -> t.mapper(ProbeMapper.class).delete(queue));
        }
    }

    private Locking locking() {
        try {
            return transactions.runAndKeep("probeLocking", holder -> {
                if (holder.mapper(ProbeMapper.class).lock(queue) == null) {
                    throw new IllegalStateException(
                            "row " + queue + " of acidq_lane was locked or removed by another transaction");
                }
                return lockFromAnother();
            });
        } catch (TransientQueueException e) {
            throw e;
        } catch (AcidqException e) {
            if (isNotUnderstood(e)) {
                return Locking.UNKNOWN;
            }
            throw e;
        }
    }

    /** What a second connection finds while the first one holds the row. */
    private Locking lockFromAnother() {
        try {
            Long found = transactions.runAndKeep(
                    "probeLocking", t -> t.mapper(ProbeMapper.class).lock(queue));
            return found == null ? Locking.SKIPS : Locking.LOCKS_NOTHING;
        } catch (TransientQueueException e) {
            if (DatabaseError.of(e) == DatabaseError.LOCK_TIMEOUT) {
                return Locking.WAITS;
            }
            throw e;
        }
    }

    private static boolean isNotUnderstood(AcidqException failure) {
        return failure.getCause() instanceof SQLException sql && NOT_UNDERSTOOD.contains(sql.getErrorCode());
    }

    private boolean showsCommits() {
        return transactions.runAndKeep("probeLocking", reader -> {
            ProbeMapper mapper = reader.mapper(ProbeMapper.class);
            Long before = mapper.read(queue);
            transactions.runAndKeep(
                    "probeLocking", t -> t.mapper(ProbeMapper.class).change(queue));
            Long after = mapper.read(queue);
            return before != null && after != null && after < before;
        });
    }
}

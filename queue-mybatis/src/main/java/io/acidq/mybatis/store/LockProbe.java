package io.acidq.mybatis.store;

import io.acidq.AcidqException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.store.DatabaseError;
import io.acidq.store.ServerStore.Locking;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Tests the locks that claims rely on with a row of its own, which it then removes. The version is not enough: some servers parse clauses that they do not execute. */
final class LockProbe {

    private static final int NUMBERS = Short.MAX_VALUE;

    /** A syntax error, and an unsupported feature. */
    private static final Set<Integer> NOT_UNDERSTOOD = Set.of(1064, 1235);

    private final MyBatisSessions sessions;
    private final StoreTransactions transactions;
    private final int queue = -ThreadLocalRandom.current().nextInt(1, NUMBERS);

    LockProbe(MyBatisSessions sessions, StoreTransactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
    }

    Locking probe() {
        transactions.runAndKeep(
                "probeLocking", t -> t.mapper(ServerMapper.class).insertProbe(queue));
        try {
            Locking locking = locking();
            if (locking != Locking.UNKNOWN) {
                return locking.isSound() && !showsCommits() ? Locking.READS_OLD : locking;
            }
            sessions.waitForLocks();
            return locking() == Locking.LOCKS_NOTHING ? Locking.LOCKS_NOTHING : Locking.UNKNOWN;
        } finally {
            transactions.runAndKeep(
                    "probeLocking", t -> t.mapper(ServerMapper.class).deleteProbe(queue));
        }
    }

    private Locking locking() {
        try {
            return transactions.runAndKeep("probeLocking", holder -> {
                if (holder.mapper(ServerMapper.class).lockProbe(queue) == null) {
                    throw new IllegalStateException("row " + queue
                            + " of acidq_lane was locked or removed by another transaction: start the engine"
                            + " again, and if this is repeated, find out who else writes to acidq_lane");
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

    /** Locks the row from a second connection while the first one has it locked. */
    private Locking lockFromAnother() {
        try {
            Long found = transactions.runAndKeep(
                    "probeLocking", t -> t.mapper(ServerMapper.class).lockProbe(queue));
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
            ServerMapper mapper = reader.mapper(ServerMapper.class);
            Long before = mapper.readProbe(queue);
            transactions.runAndKeep(
                    "probeLocking", t -> t.mapper(ServerMapper.class).changeProbe(queue));
            Long after = mapper.readProbe(queue);
            return before != null && after != null && after < before;
        });
    }
}

package io.acidq.mybatis.session;

import io.acidq.store.DatabaseError;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * Short transactions of the store's own at READ COMMITTED, apart from any of the application's. A few connections are kept prepared while
 * they are busy, so that a claim costs its statements and a COMMIT; {@link #releaseIdle} gives the others back. Thread-safe.
 */
public class ShortTransactions {

    /** How many idle connections are kept at most, those for transactions and those for reads together. */
    private static final int KEPT = 4;

    private static final Duration RELEASE_AFTER = Duration.ofSeconds(2);

    /** However busy it is: the pool may have others waiting for it, or want to replace it by a new one. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Sessions sessions;
    private final Deque<OwnConnection> kept = new ArrayDeque<>();
    private final Deque<OwnConnection> keptForReads = new ArrayDeque<>();

    public ShortTransactions(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Runs the work in a transaction of its own, on a connection that is given back at once. */
    public <T extends @Nullable Object> T once(String what, Function<ShortTransaction, T> work) {
        return run(what, work, false, false);
    }

    /** The same for what runs often: the connection is kept a while for the next one. */
    public <T extends @Nullable Object> T often(String what, Function<ShortTransaction, T> work) {
        return run(what, work, true, false);
    }

    /** Runs one statement that reads, often, without the round trip of a COMMIT. */
    public <T extends @Nullable Object> T read(String what, Function<ShortTransaction, T> statement) {
        return run(what, statement, true, true);
    }

    /** Gives back the kept connections that have not been used of late. */
    public void releaseIdle() {
        release(RELEASE_AFTER);
    }

    /** Gives back every kept connection that is not in use. */
    public void releaseAll() {
        release(Duration.ZERO);
    }

    <T extends @Nullable Object> T run(String what, Function<ShortTransaction, T> work, boolean keep, boolean reads) {
        OwnConnection own;
        try {
            own = take(reads);
        } catch (SQLException | RuntimeException e) {
            throw Failures.of(what, e);
        }
        boolean clean = false;
        boolean lost = true;
        try {
            T result = commit(own, work);
            clean = true;
            return result;
        } catch (SQLException | RuntimeException e) {
            lost = DatabaseError.of(e) == DatabaseError.CONNECTION || !own.rollBack();
            throw Failures.of(what, e);
        } finally {
            end(own, clean && keep, lost && !clean);
        }
    }

    private <T extends @Nullable Object> T commit(OwnConnection own, Function<ShortTransaction, T> work)
            throws SQLException {
        try (SqlSession session = sessions.open(own.connection())) {
            ShortTransaction transaction = new ShortTransaction(session, () -> sessions.openBatch(own.connection()));
            T result = work.apply(transaction);
            if (own.reads()) {
                return result;
            }
            if (transaction.isToRollBack()) {
                own.connection().rollback();
            } else {
                own.connection().commit();
            }
            return result;
        }
    }

    private OwnConnection take(boolean reads) throws SQLException {
        releaseIdle(); // before the server does, which closes it after wait_timeout
        synchronized (kept) {
            OwnConnection ready = keptFor(reads).pollFirst();
            if (ready != null) {
                return ready;
            }
        }
        return OwnConnection.borrow(sessions, reads);
    }

    private Deque<OwnConnection> keptFor(boolean reads) {
        return reads ? keptForReads : kept;
    }

    private void end(OwnConnection own, boolean keep, boolean lost) {
        if (lost) {
            own.evict();
            return;
        }
        own.used();
        synchronized (kept) {
            if (keep && kept.size() + keptForReads.size() < KEPT && !own.isOlderThan(LONGEST)) {
                keptFor(own.reads()).addFirst(own);
                return;
            }
        }
        own.giveBack();
    }

    private void release(Duration idle) {
        List<OwnConnection> old = new ArrayList<>();
        synchronized (kept) {
            for (Deque<OwnConnection> some : List.of(kept, keptForReads)) {
                while (!some.isEmpty() && some.getLast().isIdleSince(idle)) {
                    old.add(some.removeLast());
                }
            }
        }
        old.forEach(OwnConnection::giveBack);
    }
}

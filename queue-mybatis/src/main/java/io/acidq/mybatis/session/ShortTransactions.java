package io.acidq.mybatis.session;

import io.acidq.TransientQueueException;
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
 * they are busy, so that a claim costs its statements and a COMMIT; {@link #releaseIdle} gives the others back. Without somebody who calls that
 * again and again none is kept. Thread-safe.
 */
public class ShortTransactions {

    /** How many idle connections are kept at most, of all kinds together. */
    private static final int KEPT = 4;

    private static final Duration RELEASE_AFTER = Duration.ofSeconds(2);

    /** The last one for reads: a node that has nothing to do looks every few seconds. */
    private static final Duration RELEASE_LAST_AFTER = Duration.ofSeconds(12);

    /** However busy it is: the pool may have others waiting for it, or want to replace it by a new one. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Duration LONGEST_FOR_READS = Duration.ofSeconds(25);

    /** A connection that is lost fails at once; one that does not answer has been waited for already. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final Sessions sessions;
    private final Deque<OwnConnection> kept = new ArrayDeque<>();
    private final Deque<OwnConnection> keptForReads = new ArrayDeque<>();

    /** Apart from the other reads: it is in use nearly all the time, and they would take each other's. */
    private final Deque<OwnConnection> keptToAwait = new ArrayDeque<>();

    /** Whether somebody calls {@link #releaseIdle}, as a process does that has a node. */
    private volatile boolean attended;

    public ShortTransactions(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Runs the work in a transaction of its own, on a connection that is given back at once. */
    public <T extends @Nullable Object> T once(String what, Function<ShortTransaction, T> work) {
        return run(what, work, false);
    }

    /** The same for what runs often: the connection is kept a while for the next one. */
    public <T extends @Nullable Object> T often(String what, Function<ShortTransaction, T> work) {
        return run(what, work, true);
    }

    /**
     * Runs statements that read, often, each a transaction of its own without the round trip of a COMMIT. On a kept connection that turns out to be
     * lost, once more on one from the pool, which has tried it.
     */
    public <T extends @Nullable Object> T read(String what, Function<ShortTransaction, T> statements) {
        release(RELEASE_AFTER, RELEASE_LAST_AFTER);
        OwnConnection ready = takeKept(keptForReads);
        long began = System.nanoTime();
        if (ready != null) {
            try {
                return run(ready, what, statements, keptForReads);
            } catch (TransientQueueException e) {
                boolean lost = DatabaseError.of(e) == DatabaseError.CONNECTION;
                if (!lost || System.nanoTime() - began > AT_ONCE.toNanos()) {
                    throw e;
                }
            }
        }
        return run(borrow(what, true), what, statements, keptForReads);
    }

    /** Runs a statement that means the server that it is sent to, and no other: on a connection that is lost it fails. */
    public <T extends @Nullable Object> T await(String what, Function<ShortTransaction, T> statement) {
        OwnConnection ready = takeKept(keptToAwait);
        return run(ready == null ? borrow(what, true) : ready, what, statement, keptToAwait);
    }

    /** Runs the last one, on a connection in hand if there is one, and gives back every kept connection; none is kept from now on. */
    public <T extends @Nullable Object> T last(String what, Function<ShortTransaction, T> work) {
        attended = false;
        release(RELEASE_AFTER, Duration.ZERO);
        try {
            return run(what, work, false);
        } finally {
            release(Duration.ZERO, Duration.ZERO);
        }
    }

    /** Gives back the kept connections that have not been used of late. From now on some are kept. */
    public void releaseIdle() {
        attended = true;
        release(RELEASE_AFTER, RELEASE_LAST_AFTER);
    }

    <T extends @Nullable Object> T run(String what, Function<ShortTransaction, T> work, boolean keep) {
        release(RELEASE_AFTER, RELEASE_LAST_AFTER); // before the server does, which closes it after wait_timeout
        OwnConnection ready = takeKept(kept);
        return run(ready == null ? borrow(what, false) : ready, what, work, keep ? kept : null);
    }

    private <T extends @Nullable Object> T run(
            OwnConnection own,
            String what,
            Function<ShortTransaction, T> work,
            @Nullable Deque<OwnConnection> keptThen) {
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
            end(own, clean ? keptThen : null, lost && !clean);
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

    private OwnConnection borrow(String what, boolean reads) {
        try {
            return OwnConnection.borrow(sessions, reads);
        } catch (SQLException | RuntimeException e) {
            throw Failures.of(what, e);
        }
    }

    private @Nullable OwnConnection takeKept(Deque<OwnConnection> some) {
        synchronized (kept) {
            return some.pollFirst();
        }
    }

    private void end(OwnConnection own, @Nullable Deque<OwnConnection> keptThen, boolean lost) {
        if (lost) {
            own.evict();
            return;
        }
        own.used();
        synchronized (kept) {
            int all = kept.size() + keptForReads.size() + keptToAwait.size();
            if (keptThen != null && attended && all < KEPT && !isTooOld(own)) {
                keptThen.addFirst(own);
                return;
            }
        }
        own.giveBack();
    }

    private static boolean isTooOld(OwnConnection own) {
        return own.isOlderThan(own.reads() ? LONGEST_FOR_READS : LONGEST);
    }

    private void release(Duration idle, Duration lastForReads) {
        List<OwnConnection> old = new ArrayList<>();
        synchronized (kept) {
            remove(kept, 0, idle, old);
            remove(keptToAwait, 0, idle, old);
            remove(keptForReads, 1, idle, old);
            remove(keptForReads, 0, lastForReads, old);
        }
        old.forEach(OwnConnection::giveBack);
    }

    private static void remove(Deque<OwnConnection> some, int allBut, Duration idle, List<OwnConnection> removed) {
        while (!some.isEmpty()
                && (isTooOld(some.getLast())
                        || (some.size() > allBut && some.getLast().isIdleSince(idle)))) {
            removed.add(some.removeLast());
        }
    }
}

package io.acidq.mybatis.session;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.IdleConnections.Use;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * Short transactions of the store's own at READ COMMITTED, apart from any of the application's. Connections are kept prepared while
 * they are busy, so that a claim costs its statements and a COMMIT; the others are given back. None is kept before {@link #releaseIdle} is called, and
 * the last one for reads until then. On a kept connection that turns out to be lost, the work is run once more on one from the pool, which has tried
 * it, unless its COMMIT was sent: work does nothing but statements. Thread-safe.
 */
public class ShortTransactions {

    /** A connection that is lost fails at once; one that does not answer has been waited for already. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final Sessions sessions;
    private final IdleConnections idle;

    public ShortTransactions(Sessions sessions) {
        this(sessions, new IdleConnections());
    }

    ShortTransactions(Sessions sessions, IdleConnections idle) {
        this.sessions = sessions;
        this.idle = idle;
    }

    /** Runs the work in a transaction of its own, on a connection that is given back at once. */
    public <T extends @Nullable Object> T once(String what, Function<ShortTransaction, T> work) {
        return run(what, work, Use.TRANSACTIONS, false);
    }

    /** The same for what runs often: the connection is kept a while for the next one. */
    public <T extends @Nullable Object> T often(String what, Function<ShortTransaction, T> work) {
        return run(what, work, Use.TRANSACTIONS, true);
    }

    /** The same for a claim, of which each poller makes one after the other: as many connections are kept as claim at once. */
    public <T extends @Nullable Object> T claim(String what, Function<ShortTransaction, T> work) {
        return run(what, work, Use.CLAIMS, true);
    }

    /** Runs statements that read, often, each a transaction of its own without the round trip of a COMMIT. */
    public <T extends @Nullable Object> T read(String what, Function<ShortTransaction, T> statements) {
        return run(what, statements, Use.READS, true);
    }

    /** Runs a statement that means the server that it is sent to, and no other: on a connection that is lost it fails. */
    public <T extends @Nullable Object> T await(String what, Function<ShortTransaction, T> statement) {
        OwnConnection ready = idle.take(Use.WAITS);
        return run(ready == null ? borrow(what, true) : ready, what, statement, Use.WAITS);
    }

    /** Runs the last one, on a connection in hand if there is one, and gives back every kept connection; none is kept from now on. */
    public <T extends @Nullable Object> T last(String what, Function<ShortTransaction, T> work) {
        idle.closeBut(Use.TRANSACTIONS); // the pool may have no other
        try {
            return run(what, work, Use.TRANSACTIONS, false);
        } finally {
            idle.close();
        }
    }

    /** Gives back the kept connections that have not been used of late. From now on some are kept. */
    public void releaseIdle() {
        idle.open();
        idle.release();
    }

    <T extends @Nullable Object> T run(String what, Function<ShortTransaction, T> work, Use use, boolean keep) {
        idle.release(); // before the server does, which closes it after wait_timeout
        OwnConnection ready = idle.take(use);
        Use keptFor = keep ? use : null;
        if (ready != null) {
            long began = System.nanoTime();
            try {
                return run(ready, what, work, keptFor);
            } catch (TransientQueueException e) {
                boolean lost = DatabaseError.of(e) == DatabaseError.CONNECTION && !ready.mayHaveCommitted();
                if (!lost || System.nanoTime() - began > AT_ONCE.toNanos()) {
                    throw e;
                }
            }
        }
        return run(borrow(what, use == Use.READS), what, work, keptFor);
    }

    private <T extends @Nullable Object> T run(
            OwnConnection own, String what, Function<ShortTransaction, T> work, @Nullable Use keptFor) {
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
            end(own, clean ? keptFor : null, lost && !clean);
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
                own.commit();
            }
            return result;
        }
    }

    private OwnConnection borrow(String what, boolean reads) {
        try {
            return OwnConnection.prepare(fromPool(), sessions, reads);
        } catch (SQLException | RuntimeException e) {
            throw Failures.of(what, e);
        }
    }

    private Connection fromPool() throws SQLException {
        long began = System.nanoTime();
        try {
            return sessions.dataSource().getConnection();
        } finally {
            idle.poolTook(System.nanoTime() - began);
        }
    }

    private void end(OwnConnection own, @Nullable Use keptFor, boolean lost) {
        if (lost) {
            own.evict();
        } else if (keptFor == null || !idle.keep(own, keptFor)) {
            own.giveBack();
        }
    }
}

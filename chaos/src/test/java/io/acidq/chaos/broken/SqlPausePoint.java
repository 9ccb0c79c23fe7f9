package io.acidq.chaos.broken;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** A point in a node's SQL at which the first who comes there stands still until he is released. */
final class SqlPausePoint {

    private static final long LONGEST_SECONDS = 8; // a claim's connection is ended by the server after ten

    private final Pattern sql;
    private final boolean after;
    private final AtomicBoolean armed = new AtomicBoolean(true);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private SqlPausePoint(String sql, boolean after) {
        this.sql = Pattern.compile(sql);
        this.after = after;
    }

    static SqlPausePoint before(String sql) {
        return new SqlPausePoint(sql, false);
    }

    /** A commit reads as {@code COMMIT}, followed by what was done in its transaction. */
    static SqlPausePoint after(String sql) {
        return new SqlPausePoint(sql, true);
    }

    void passes(String statement, boolean isOver) {
        if (isOver == after && sql.matcher(statement).find() && armed.compareAndSet(true, false)) {
            reached.countDown();
            await(released, "to be released from " + sql);
        }
    }

    boolean isReached() {
        return reached.getCount() == 0;
    }

    void awaitReached() {
        await(reached, "for somebody to come to " + sql);
    }

    void release() {
        armed.set(false);
        released.countDown();
    }

    private static void await(CountDownLatch latch, String what) {
        try {
            if (!latch.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited in vain " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it waited " + what, e);
        }
    }
}

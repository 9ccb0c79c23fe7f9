package io.acidq.mybatis.session;

import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/**
 * The connections that the store keeps prepared between two uses, and the one of the heartbeat. Thread-safe.
 *
 * <p>Of the idle ones the last used is taken first. A few are kept for a third of a second, one for reads for
 * seconds, and for claims as many as are in use at once for a moment, where the pool has them to spare. A thread returns them to the pool,
 * since the pool's other users may wait for them; only that last one for reads is left to calls of {@link #releaseIdle}. The cache keeps none before
 * {@link #open} and after {@link #close}.
 *
 * <p>The heartbeat's connection is kept from its first statement until {@link #releaseHeartbeat}: an exhausted pool must kill no node.
 */
public final class ConnectionCache {

    /** What a connection is kept for; each is for one of these. */
    enum Use {
        TRANSACTIONS,

        /** The same connections as for transactions, where many threads may use them at once: the pollers. */
        CLAIMS,
        READS,

        /** Apart from the other reads: one thread uses it nearly all the time, and the two would take each other's. */
        WAITS;

        boolean isForReads() {
            return this == READS || this == WAITS;
        }
    }

    /** How many are kept for longer than a moment, of all uses together. */
    private static final int MAX_IDLE = 4;

    private static final int MAX_IDLE_FOR_CLAIMS = 64;

    /** With two seconds a pool that was just large enough had none for workers and callers as long, again and again: 40 messages took 30 s. */
    private static final Duration RELEASE_AFTER = Duration.ofMillis(300);

    /** For the last one for reads: a node that has nothing to do looks every few seconds. */
    private static final Duration RELEASE_LAST_AFTER = Duration.ofSeconds(12);

    /** For those beyond the few. */
    private static final Duration RELEASE_EXCESS_AFTER = Duration.ofMillis(50);

    /** How many beyond the few are returned at once: each costs statements. */
    private static final int MAX_EXCESS_PER_RELEASE = 2;

    /** A pool that takes longer to give one, in the mean of the last ones, lets somebody wait, or opens them anew. */
    private static final Duration QUICK_POOL_TIME = Duration.ofMillis(10);

    private static final double WEIGHT = 0.125;

    /** The longest time for a busy one: the pool may have others waiting for it, or want to replace it by a new one. */
    private static final Duration MAX_AGE = Duration.ofSeconds(10);

    private static final Duration MAX_AGE_FOR_READS = Duration.ofSeconds(25);

    /** How long a stop waits for connections that the thread returns at that moment. */
    private static final Duration THREAD_END_TIMEOUT = Duration.ofSeconds(5);

    /** The thread ends when it has had nothing to do for that long: a node that was declared dead may not close the cache. */
    private static final Duration THREAD_KEEP_ALIVE = Duration.ofSeconds(1);

    /** The time until an event that never comes. */
    static final long NEVER = Long.MAX_VALUE;

    private final MyBatisSessions sessions;
    private final LongSupplier nanoTime;
    private final boolean ownThread;

    private final Deque<CachedConnection> forTransactions = new ArrayDeque<>();
    private final Deque<CachedConnection> forReads = new ArrayDeque<>();
    private final Deque<CachedConnection> forWaits = new ArrayDeque<>();
    private final List<Deque<CachedConnection>> idle = List.of(forTransactions, forReads, forWaits);
    private double meanPoolNanos;
    private boolean open;
    private @Nullable ScheduledThreadPoolExecutor executor;
    private @Nullable ScheduledFuture<?> nextRelease;

    /** The last thread made: the executor says that it has terminated when it runs no more tasks, a little before its thread is gone. */
    private volatile @Nullable Thread thread;

    private final ReentrantLock heartbeatLock = new ReentrantLock();
    private @Nullable CachedConnection heartbeat;

    /**
     * An empty cache, closed.
     *
     * @param nanoTime  the clock by which idle connections grow old
     * @param ownThread whether a thread returns them to the pool, or calls alone
     */
    public ConnectionCache(MyBatisSessions sessions, LongSupplier nanoTime, boolean ownThread) {
        this.sessions = sessions;
        this.nanoTime = nanoTime;
        this.ownThread = ownThread;
    }

    synchronized @Nullable CachedConnection take(Use use) {
        return idle(use).pollFirst();
    }

    /** Takes a connection from the pool and prepares it. */
    CachedConnection borrow(String what, Use use) {
        try {
            return CachedConnection.forStore(fromPool(), sessions, use.isForReads());
        } catch (SQLException | RuntimeException e) {
            throw ExceptionTranslator.translate(what, e);
        }
    }

    private Connection fromPool() throws SQLException {
        long began = System.nanoTime();
        try {
            return sessions.dataSource().getConnection();
        } finally {
            recordPoolTime(System.nanoTime() - began);
        }
    }

    /** Notes how long the pool took to give one. */
    synchronized void recordPoolTime(long nanos) {
        meanPoolNanos += WEIGHT * (nanos - meanPoolNanos);
    }

    private boolean isPoolSlow() {
        return meanPoolNanos > QUICK_POOL_TIME.toNanos();
    }

    /** Keeps the connection until it is taken or released; false when the caller must return it to the pool now. */
    synchronized boolean keep(CachedConnection connection, Use use) {
        long now = nanoTime.getAsLong();
        connection.markUsed(now);
        int most = use == Use.CLAIMS && !isPoolSlow() ? MAX_IDLE_FOR_CLAIMS : MAX_IDLE;
        if (!open || size() >= most || isTooOld(connection, now)) {
            return false;
        }
        idle(use).addFirst(connection);
        planRelease();
        return true;
    }

    /** From now on some are kept. */
    synchronized void open() {
        open = true;
        if (ownThread && executor == null) {
            executor = new ScheduledThreadPoolExecutor(1, task -> {
                Thread made = new Thread(task, "acidq-connections");
                made.setDaemon(true);
                thread = made;
                return made;
            });
            executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            executor.setRemoveOnCancelPolicy(true);
            executor.setKeepAliveTime(
                    THREAD_KEEP_ALIVE.toNanos(), TimeUnit.NANOSECONDS); // longer than any of its delays
            executor.allowCoreThreadTimeOut(true);
        }
    }

    private void planRelease() {
        long left = nanosUntilRelease();
        if (executor == null || left == NEVER) {
            return;
        }
        if (nextRelease != null && !nextRelease.isDone()) {
            if (nextRelease.getDelay(TimeUnit.NANOSECONDS) <= left) { // or it runs now, and plans the next one itself
                return;
            }
            nextRelease.cancel(false);
        }
        nextRelease = executor.schedule(this::releaseAndPlan, left, TimeUnit.NANOSECONDS);
    }

    private void releaseAndPlan() {
        releaseIdle();
        synchronized (this) {
            nextRelease = null;
            planRelease();
        }
    }

    /** Nanoseconds until one is due to be released, 0 or less when it is time. The last one for reads waits for the next call of releaseIdle. */
    synchronized long nanosUntilRelease() {
        long now = nanoTime.getAsLong();
        long next = NEVER;
        for (Deque<CachedConnection> some : idle) {
            if (some.size() > minimum(some)) {
                next = Math.min(next, some.getLast().untilIdleFor(RELEASE_AFTER, now));
            }
        }
        return size() > MAX_IDLE && !forTransactions.isEmpty()
                ? Math.min(next, forTransactions.getLast().untilIdleFor(excessIdleTime(), now))
                : next;
    }

    private int minimum(Deque<CachedConnection> some) {
        return some == forReads ? 1 : 0;
    }

    private Duration excessIdleTime() {
        return isPoolSlow() ? Duration.ZERO : RELEASE_EXCESS_AFTER;
    }

    /** Returns those to the pool that have not been used of late. */
    void releaseIdle() {
        long now = nanoTime.getAsLong();
        List<CachedConnection> old = new ArrayList<>();
        synchronized (this) {
            for (Deque<CachedConnection> some : idle) {
                removeOld(some, minimum(some), RELEASE_AFTER, now, old);
            }
            removeOld(forReads, 0, RELEASE_LAST_AFTER, now, old);
            removeExcess(now, old);
        }
        returnToPool(old);
    }

    private static void removeOld(
            Deque<CachedConnection> some, int allBut, Duration unused, long now, List<CachedConnection> removed) {
        while (!some.isEmpty()
                && (isTooOld(some.getLast(), now)
                        || (some.size() > allBut && some.getLast().isIdleFor(unused, now)))) {
            removed.add(some.removeLast());
        }
    }

    private void removeExcess(long now, List<CachedConnection> removed) {
        Duration unused = excessIdleTime();
        for (int i = 0; i < MAX_EXCESS_PER_RELEASE && size() > MAX_IDLE && !forTransactions.isEmpty(); i++) {
            if (forTransactions.getLast().isIdleFor(unused, now)) {
                removed.add(forTransactions.removeLast());
            }
        }
    }

    private static boolean isTooOld(CachedConnection connection, long now) {
        return connection.isOlderThan(connection.isForReads() ? MAX_AGE_FOR_READS : MAX_AGE, now);
    }

    /** Returns all but those for transactions; from now on none is kept. */
    void closeAllButTransactions() {
        returnToPool(close(List.of(forReads, forWaits)));
    }

    /** Returns all to the pool; from now on none is kept. */
    void close() {
        returnToPool(close(idle));
        endThread();
    }

    private synchronized List<CachedConnection> close(List<Deque<CachedConnection>> uses) {
        open = false;
        List<CachedConnection> closed = new ArrayList<>();
        for (Deque<CachedConnection> some : uses) {
            closed.addAll(some);
            some.clear();
        }
        return closed;
    }

    private void endThread() {
        ScheduledThreadPoolExecutor ending;
        synchronized (this) {
            ending = executor;
            executor = null;
            nextRelease = null;
        }
        if (ending == null) {
            return;
        }
        ending.shutdown();
        Thread last = thread;
        try {
            if (last != null) {
                last.join(THREAD_END_TIMEOUT.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Once one of them has failed the server is gone, and each of the others would be waited for. */
    private static void returnToPool(List<CachedConnection> some) {
        boolean answered = true;
        for (CachedConnection connection : some) {
            if (answered) {
                answered = returnToPool(connection);
            } else {
                connection.evict();
            }
        }
    }

    /** False when the connection could not be put back, and is dropped. */
    static boolean returnToPool(CachedConnection connection) {
        try {
            connection.returnToPool();
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    private Deque<CachedConnection> idle(Use use) {
        return switch (use) {
            case TRANSACTIONS, CLAIMS -> forTransactions;
            case READS -> forReads;
            case WAITS -> forWaits;
        };
    }

    private int size() {
        return forTransactions.size() + forReads.size() + forWaits.size();
    }

    /** Runs one statement on the heartbeat's connection; on one that turns out to be lost, once more on a new one. One thread at a time. */
    <T> T heartbeat(String what, Function<SqlSession, T> statement) {
        heartbeatLock.lock();
        try {
            boolean mayRepeat = heartbeat != null;
            while (true) {
                try (SqlSession session = sessions.open(heartbeatConnection(what))) {
                    return statement.apply(session);
                } catch (SQLException | RuntimeException e) {
                    dropHeartbeat();
                    if (!mayRepeat || DatabaseError.of(e) != DatabaseError.CONNECTION) {
                        throw ExceptionTranslator.translate(what, e);
                    }
                    mayRepeat = false;
                }
            }
        } finally {
            heartbeatLock.unlock();
        }
    }

    private Connection heartbeatConnection(String what) throws SQLException {
        CachedConnection held = heartbeat;
        if (held == null) {
            held = CachedConnection.forHeartbeat(sessions.dataSource().getConnection(), sessions, what);
            heartbeat = held;
        }
        return held.connection();
    }

    private void dropHeartbeat() {
        CachedConnection held = heartbeat;
        heartbeat = null;
        if (held != null) {
            held.evict();
        }
    }

    /** Returns the heartbeat's connection to the pool; the next statement takes another. */
    void releaseHeartbeat() {
        heartbeatLock.lock();
        try {
            CachedConnection held = heartbeat;
            heartbeat = null;
            if (held != null) {
                held.returnToPool();
            }
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("release", e);
        } finally {
            heartbeatLock.unlock();
        }
    }
}

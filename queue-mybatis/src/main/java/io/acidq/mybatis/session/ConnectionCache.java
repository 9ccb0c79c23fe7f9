package io.acidq.mybatis.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps prepared connections of the store between two uses. Thread-safe.
 *
 * <p>The most recently used idle connection is taken first. A thread returns idle connections to the pool, because other users of the pool may wait for
 * them: after {@link #RELEASE_AFTER}; the last one for reads after {@link #RELEASE_LAST_AFTER}; those above {@link #MAX_IDLE} after
 * {@link #RELEASE_EXCESS_AFTER}, {@link #MAX_EXCESS_PER_RELEASE} at a time. While several pollers claim at once, up to {@link #MAX_IDLE_FOR_CLAIMS} are
 * kept, unless the pool is slow. Only {@link #releaseIdle} returns the last connection for reads. The cache keeps no connection
 * before {@link #open} and after {@link #close}.
 *
 * <p>All connections of the store, idle or in use, are no more than the concurrent claims so far and {@link #NOT_FOR_CLAIMS}, unless more threads use one
 * at the same time. The tasks of the engine {@linkplain #awaitTurn take turns}.
 */
public final class ConnectionCache {

    /** The purpose for which a connection is kept. */
    enum Use {
        TRANSACTIONS,

        /** Claims of the pollers: the same connections as for transactions, but many threads may use them at once. */
        CLAIMS,
        READS,

        /** Waits for commits. Separate from other reads, because one thread uses this connection nearly all the time. */
        WAITS;

        boolean isForReads() {
            return this == READS || this == WAITS;
        }
    }

    /** The number of connections, for all uses together, that are kept longer than a moment. */
    private static final int MAX_IDLE = 4;

    private static final int MAX_IDLE_FOR_CLAIMS = 64;

    /** One for waits for commits, one for the tasks of the engine, and one for other reads. {@code PoolRequirements} counts them. */
    private static final int NOT_FOR_CLAIMS = 3;

    /** A task that waits longer for its turn runs anyway, because the task before it may wait for a lock of the server. */
    private static final Duration MAX_WAIT_FOR_TURN = Duration.ofSeconds(1);

    /**
     * How long an idle connection is kept. Two seconds were too long: a pool of minimal size repeatedly had no connection for workers and callers (40
     * messages took 30 s).
     */
    private static final Duration RELEASE_AFTER = Duration.ofMillis(300);

    /** How long the last idle connection for reads is kept: longer than the interval of polls of an idle node that waits for commits (10 s). */
    private static final Duration RELEASE_LAST_AFTER = Duration.ofSeconds(12);

    /** How long an idle connection above {@link #MAX_IDLE} is kept. */
    private static final Duration RELEASE_EXCESS_AFTER = Duration.ofMillis(50);

    /** The number of connections above {@link #MAX_IDLE} that one release returns: restoring the settings of each costs statements. */
    private static final int MAX_EXCESS_PER_RELEASE = 2;

    /** If the pool needs more time on average, its users wait, or it opens new connections. */
    private static final Duration QUICK_POOL_TIME = Duration.ofMillis(10);

    /** The weight of the newest time in the moving mean. */
    private static final double WEIGHT = 0.125;

    /** The longest time that a busy connection is kept: other users of the pool may wait, or the pool may want to replace the connection. */
    private static final Duration MAX_AGE = Duration.ofSeconds(10);

    private static final Duration MAX_AGE_FOR_READS = Duration.ofSeconds(25);

    /** The longest time that a stop waits while the thread returns connections. */
    private static final Duration THREAD_END_TIMEOUT = Duration.ofSeconds(5);

    /** The idle time after which the thread ends, because a node that was declared dead may never close the cache. */
    private static final Duration THREAD_KEEP_ALIVE = Duration.ofSeconds(1);

    /** The time until an event that is not planned. */
    static final long NEVER = Long.MAX_VALUE;

    private final MyBatisSessions sessions;
    private final LongSupplier nanoTime;
    private final boolean ownThread;

    private final Deque<CachedConnection> forTransactions = new ArrayDeque<>();
    private final Deque<CachedConnection> forReads = new ArrayDeque<>();
    private final Deque<CachedConnection> forWaits = new ArrayDeque<>();
    private final List<Deque<CachedConnection>> idle = List.of(forTransactions, forReads, forWaits);
    private final Semaphore turn = new Semaphore(1, true);
    private int inUse;
    private int claimsInUse;
    private int maxClaims;
    private double meanPoolNanos;
    private boolean open;
    private @Nullable ScheduledThreadPoolExecutor executor;
    private @Nullable ScheduledFuture<?> nextRelease;

    /** The last thread that was created: the executor reports its termination shortly before its thread has ended. */
    private volatile @Nullable Thread thread;

    /**
     * Creates an empty, closed cache.
     *
     * @param nanoTime  the clock for the age of connections
     * @param ownThread whether a thread of the cache returns idle connections, in addition to calls of {@link #releaseIdle}
     */
    public ConnectionCache(MyBatisSessions sessions, LongSupplier nanoTime, boolean ownThread) {
        this.sessions = sessions;
        this.nanoTime = nanoTime;
        this.ownThread = ownThread;
    }

    /** Takes a connection that is kept for this use; null when there is none. {@link #endUse} ends the use. */
    synchronized @Nullable CachedConnection take(Use use) {
        CachedConnection taken = idle(use).pollFirst();
        if (taken != null) {
            beginUse(use);
        }
        return taken;
    }

    /** Takes a connection from the pool and prepares it. {@link #endUse} ends the use. */
    CachedConnection borrow(String what, Use use) {
        CachedConnection surplus = beginUseAndRemoveSurplus(use);
        if (surplus != null) {
            returnToPool(surplus);
        }
        try {
            return CachedConnection.forStore(fromPool(), sessions, use.isForReads());
        } catch (SQLException | RuntimeException e) {
            endUse(use);
            throw ExceptionTranslator.translate(what, e);
        }
    }

    synchronized void beginUse(Use use) {
        inUse++;
        if (use == Use.CLAIMS) {
            maxClaims = Math.max(maxClaims, ++claimsInUse);
        }
    }

    /** To be called when the connection is kept, returned or closed. */
    synchronized void endUse(Use use) {
        inUse--;
        if (use == Use.CLAIMS) {
            claimsInUse--;
        }
    }

    /** Begins a use with a further connection, and removes an idle one of another use if that would be one too many. */
    private synchronized @Nullable CachedConnection beginUseAndRemoveSurplus(Use use) {
        boolean tooMany = inUse + size() >= maxClaims + NOT_FOR_CLAIMS;
        beginUse(use);
        return !tooMany
                ? null
                : idle.stream()
                        .filter(connections -> connections != idle(use) && !connections.isEmpty())
                        .findFirst()
                        .map(Deque::removeLast)
                        .orElse(null);
    }

    /**
     * Waits until no other task of the engine uses a connection, so that all tasks together need one.
     *
     * @return whether the caller has the turn and must {@link #endTurn end} it
     */
    boolean awaitTurn() {
        try {
            return turn.tryAcquire(MAX_WAIT_FOR_TURN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void endTurn() {
        turn.release();
    }

    private Connection fromPool() throws SQLException {
        long start = System.nanoTime();
        try {
            return sessions.dataSource().getConnection();
        } finally {
            recordPoolTime(System.nanoTime() - start);
        }
    }

    /** Records how long the pool needed to return a connection. */
    synchronized void recordPoolTime(long nanos) {
        meanPoolNanos += WEIGHT * (nanos - meanPoolNanos);
    }

    private boolean isPoolSlow() {
        return meanPoolNanos > QUICK_POOL_TIME.toNanos();
    }

    /** Keeps the connection until it is taken or released. Returns false if the caller must return it to the pool now. */
    synchronized boolean keep(CachedConnection connection, Use use) {
        long now = nanoTime.getAsLong();
        connection.markUsed(now);
        int max = use == Use.CLAIMS && !isPoolSlow() ? MAX_IDLE_FOR_CLAIMS : MAX_IDLE;
        boolean tooMany = size() >= max || inUse + size() > maxClaims + NOT_FOR_CLAIMS;
        if (!open || tooMany || isTooOld(connection, now)) {
            return false;
        }
        idle(use).addFirst(connection);
        planRelease();
        return true;
    }

    /** Begins to keep connections. */
    synchronized void open() {
        open = true;
        if (ownThread && executor == null) {
            executor = new ScheduledThreadPoolExecutor(1, task -> {
                Thread created = new Thread(task, "acidq-connections");
                created.setDaemon(true);
                thread = created;
                return created;
            });
            executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            executor.setRemoveOnCancelPolicy(true);
            executor.setKeepAliveTime(
                    THREAD_KEEP_ALIVE.toNanos(), TimeUnit.NANOSECONDS); // longer than all delays of its tasks
            executor.allowCoreThreadTimeOut(true);
        }
    }

    private void planRelease() {
        long left = nanosUntilRelease();
        if (executor == null || left == NEVER) {
            return;
        }
        if (nextRelease != null && !nextRelease.isDone()) {
            if (nextRelease.getDelay(TimeUnit.NANOSECONDS) <= left) { // a running task plans the next one itself
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

    /** Returns the nanoseconds until the next release, 0 or less if it is due. Ignores the last connection for reads, which only releaseIdle returns. */
    synchronized long nanosUntilRelease() {
        long now = nanoTime.getAsLong();
        long next = NEVER;
        for (Deque<CachedConnection> connections : idle) {
            if (connections.size() > minimum(connections)) {
                next = Math.min(next, connections.getLast().untilIdleFor(RELEASE_AFTER, now));
            }
        }
        return size() > MAX_IDLE && !forTransactions.isEmpty()
                ? Math.min(next, forTransactions.getLast().untilIdleFor(excessIdleTime(), now))
                : next;
    }

    private int minimum(Deque<CachedConnection> connections) {
        return connections == forReads ? 1 : 0;
    }

    private Duration excessIdleTime() {
        return isPoolSlow() ? Duration.ZERO : RELEASE_EXCESS_AFTER;
    }

    /** Returns connections to the pool that have been idle for long enough. */
    void releaseIdle() {
        long now = nanoTime.getAsLong();
        List<CachedConnection> old = new ArrayList<>();
        synchronized (this) {
            for (Deque<CachedConnection> connections : idle) {
                removeOld(connections, minimum(connections), RELEASE_AFTER, now, old);
            }
            removeOld(forReads, 0, RELEASE_LAST_AFTER, now, old);
            removeExcess(now, old);
            inUse += old.size(); // until the pool has them
        }
        returnToPool(old);
        synchronized (this) {
            inUse -= old.size();
        }
    }

    private static void removeOld(
            Deque<CachedConnection> connections, int keep, Duration unused, long now, List<CachedConnection> removed) {
        while (!connections.isEmpty()
                && (isTooOld(connections.getLast(), now)
                        || (connections.size() > keep && connections.getLast().isIdleFor(unused, now)))) {
            removed.add(connections.removeLast());
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

    /** Returns all connections except those for transactions to the pool, and keeps none from now on. */
    void closeAllButTransactions() {
        returnToPool(close(List.of(forReads, forWaits)));
    }

    /** Returns all connections to the pool, and keeps none from now on. */
    void close() {
        returnToPool(close(idle));
        endThread();
    }

    private synchronized List<CachedConnection> close(List<Deque<CachedConnection>> uses) {
        open = false;
        List<CachedConnection> closed = new ArrayList<>();
        for (Deque<CachedConnection> connections : uses) {
            closed.addAll(connections);
            connections.clear();
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

    /** After the first failure the rest are closed without statements, because each statement would wait for a server that is gone. */
    private static void returnToPool(List<CachedConnection> connections) {
        boolean answered = true;
        for (CachedConnection connection : connections) {
            if (answered) {
                answered = returnToPool(connection);
            } else {
                connection.evict();
            }
        }
    }

    /** Returns false if the settings could not be restored and the connection was closed. */
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
}

package io.acidq.mybatis.session;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prepared connections that nothing runs on at this moment, the last used first. A few are kept for a third of a second, one for reads for
 * seconds, and of those for claims as many as are in use at once for a moment, as long as the pool has them to spare. A thread gives them back,
 * since what else the pool is for may wait for them; but for that last one, which is left to whoever {@link #release() releases}. None is kept before it
 * is {@link #open opened}, and after its end. Thread-safe.
 */
final class IdleConnections {

    /** What a connection is kept for; each is for one of these. */
    enum Use {
        TRANSACTIONS,

        /** The same connections, where many threads may be at it at once: the pollers. */
        CLAIMS,
        READS,

        /** Apart from the other reads: it is in use nearly all the time, and they would take each other's. */
        WAITS
    }

    /** How many are kept for longer than a moment, of all uses together. */
    private static final int FEW = 4;

    private static final int MOST = 64;

    /** With two seconds a pool that was just large enough had none for workers and callers as long, again and again: 40 messages took 30 s. */
    private static final Duration RELEASE_AFTER = Duration.ofMillis(300);

    /** The last one for reads: a node that has nothing to do looks every few seconds. */
    private static final Duration RELEASE_LAST_AFTER = Duration.ofSeconds(12);

    /** Those beyond the few. */
    private static final Duration MOMENT = Duration.ofMillis(50);

    /** So many of these are given back at once at most: that costs statements. */
    private static final int AT_ONCE = 2;

    /** A pool that takes longer to give one, in the mean of the last ones, lets somebody wait, or opens them anew. */
    private static final Duration QUICK = Duration.ofMillis(10);

    private static final double WEIGHT = 0.125;

    /** However busy it is: the pool may have others waiting for it, or want to replace it by a new one. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Duration LONGEST_FOR_READS = Duration.ofSeconds(25);

    /** A stop waits so long for what is given back at that moment. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The thread that gives back ends when it has had nothing to do for so long: a node that was buried may not say its end. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    /** Until what never comes. */
    static final long NOTHING = Long.MAX_VALUE;

    private final Map<Use, Deque<OwnConnection>> idle = new EnumMap<>(Use.class);
    private final LongSupplier nanoTime;
    private final boolean tidies;
    private double poolTakes;
    private boolean open;
    private @Nullable ScheduledThreadPoolExecutor tidier;

    /** The last one made: the executor says that it has terminated when it runs no more tasks, a little before its thread is gone. */
    private volatile @Nullable Thread tidierThread;

    private @Nullable ScheduledFuture<?> tidying;

    IdleConnections() {
        this(System::nanoTime, true);
    }

    /**
     * With a clock.
     *
     * @param tidies whether they are given back by a thread too, or by calls alone
     */
    IdleConnections(LongSupplier nanoTime, boolean tidies) {
        this.nanoTime = nanoTime;
        this.tidies = tidies;
        for (Use use : List.of(Use.TRANSACTIONS, Use.READS, Use.WAITS)) {
            idle.put(use, new ArrayDeque<>());
        }
    }

    synchronized @Nullable OwnConnection take(Use use) {
        return of(use).pollFirst();
    }

    /** Keeps it until it is taken or released; false when it is to be given back at once. */
    synchronized boolean keep(OwnConnection own, Use use) {
        long now = nanoTime.getAsLong();
        own.used(now);
        int most = use == Use.CLAIMS && !isScarce() ? MOST : FEW;
        if (!open || size() >= most || isTooOld(own, now)) {
            return false;
        }
        of(use).addFirst(own);
        planTidying();
        return true;
    }

    private void planTidying() {
        long left = untilDue();
        if (tidier == null || left == NOTHING) {
            return;
        }
        if (tidying != null && !tidying.isDone()) {
            if (tidying.getDelay(TimeUnit.NANOSECONDS) <= left) { // or it is under way, and plans the next
                return;
            }
            tidying.cancel(false);
        }
        tidying = tidier.schedule(this::tidy, left, TimeUnit.NANOSECONDS);
    }

    private void tidy() {
        release();
        synchronized (this) {
            tidying = null;
            planTidying();
        }
    }

    /** Nanoseconds until one is to be given back, 0 or less when it is time; the last one for reads is left to the next look. */
    synchronized long untilDue() {
        long now = nanoTime.getAsLong();
        long next = NOTHING;
        for (Map.Entry<Use, Deque<OwnConnection>> its : idle.entrySet()) {
            if (its.getValue().size() > (its.getKey() == Use.READS ? 1 : 0)) {
                next = Math.min(next, its.getValue().getLast().untilIdleFor(RELEASE_AFTER, now));
            }
        }
        Deque<OwnConnection> some = of(Use.TRANSACTIONS);
        return size() > FEW && !some.isEmpty()
                ? Math.min(next, some.getLast().untilIdleFor(beyondTheFewFor(), now))
                : next;
    }

    private Duration beyondTheFewFor() {
        return isScarce() ? Duration.ZERO : MOMENT;
    }

    /** The pool has given one, after so long. */
    synchronized void poolTook(long nanos) {
        poolTakes += WEIGHT * (nanos - poolTakes);
    }

    private boolean isScarce() {
        return poolTakes > QUICK.toNanos();
    }

    /** From now on some are kept. */
    synchronized void open() {
        open = true;
        if (tidies && tidier == null) {
            tidier = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, "acidq-connections");
                thread.setDaemon(true);
                tidierThread = thread;
                return thread;
            });
            tidier.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            tidier.setRemoveOnCancelPolicy(true);
            tidier.setKeepAliveTime(LINGER.toNanos(), TimeUnit.NANOSECONDS); // longer than any of its delays
            tidier.allowCoreThreadTimeOut(true);
        }
    }

    /** Gives back those that have not been used of late. */
    void release() {
        long now = nanoTime.getAsLong();
        List<OwnConnection> old = new ArrayList<>();
        synchronized (this) {
            for (Use use : idle.keySet()) {
                old.addAll(remove(of(use), use == Use.READS ? 1 : 0, RELEASE_AFTER, now));
            }
            old.addAll(remove(of(Use.READS), 0, RELEASE_LAST_AFTER, now));
            old.addAll(removeBeyondTheFew(of(Use.TRANSACTIONS), now));
        }
        giveBack(old);
    }

    /** Gives back all but those for this use; none is kept from now on. */
    void closeBut(Use use) {
        giveBack(close(idle.keySet().stream().filter(u -> u != use).toList()));
    }

    /** Gives back all; none is kept from now on. */
    void close() {
        giveBack(close(idle.keySet()));
        endTidying();
    }

    private void endTidying() {
        ScheduledThreadPoolExecutor ending;
        synchronized (this) {
            ending = tidier;
            tidier = null;
            tidying = null;
        }
        if (ending == null) {
            return;
        }
        ending.shutdown();
        Thread last = tidierThread;
        try {
            if (last != null) {
                last.join(PATIENCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<OwnConnection> close(Collection<Use> uses) {
        open = false;
        List<OwnConnection> closed = new ArrayList<>();
        for (Use use : uses) {
            closed.addAll(of(use));
            of(use).clear();
        }
        return closed;
    }

    /** Once one of them has failed the server is gone, and each other would be waited for. */
    private static void giveBack(List<OwnConnection> some) {
        boolean answered = true;
        for (OwnConnection own : some) {
            if (answered) {
                answered = own.giveBack();
            } else {
                own.evict();
            }
        }
    }

    private static List<OwnConnection> remove(Deque<OwnConnection> some, int allBut, Duration unused, long now) {
        List<OwnConnection> removed = new ArrayList<>();
        while (!some.isEmpty()
                && (isTooOld(some.getLast(), now)
                        || (some.size() > allBut && some.getLast().isIdleFor(unused, now)))) {
            removed.add(some.removeLast());
        }
        return removed;
    }

    private List<OwnConnection> removeBeyondTheFew(Deque<OwnConnection> some, long now) {
        List<OwnConnection> removed = new ArrayList<>();
        Duration unused = beyondTheFewFor();
        for (int i = 0; i < AT_ONCE && size() > FEW && !some.isEmpty(); i++) {
            if (some.getLast().isIdleFor(unused, now)) {
                removed.add(some.removeLast());
            }
        }
        return removed;
    }

    private static boolean isTooOld(OwnConnection own, long now) {
        return own.isOlderThan(own.reads() ? LONGEST_FOR_READS : LONGEST, now);
    }

    private Deque<OwnConnection> of(Use use) {
        return Objects.requireNonNull(idle.get(use == Use.CLAIMS ? Use.TRANSACTIONS : use));
    }

    private int size() {
        return idle.values().stream().mapToInt(Deque::size).sum();
    }
}

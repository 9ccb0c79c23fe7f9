package io.acidq.engine.work;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a queue's workers: as many as are wanted. One too many, or too old, leaves by itself between two runs; none is interrupted
 * for that. Thread-safe.
 */
final class Staff {

    /** The lives of workers differ by up to this share, so that not all end at once. */
    private static final double SPREAD = 0.2;

    private static final Duration MOURNING = Duration.ofSeconds(1);

    private final String queue;
    private final @Nullable Duration life;
    private final LongSupplier nanoTime;
    private final Runnable work;
    private final ThreadFactory factory;
    private final Set<Thread> threads = new HashSet<>();

    /** Those that have no place any more, and may still give back what they kept. */
    private final Set<Thread> leaving = new HashSet<>();

    private int hired;
    private int wanted;
    private boolean closed;

    /** With plain threads. */
    Staff(String queue, @Nullable Duration life, LongSupplier nanoTime, Runnable work) {
        this(queue, life, nanoTime, work, Thread::new);
    }

    /**
     * Nobody at first.
     *
     * @param work what each thread does: runs one thing after the other as long as it {@link #keeps} its place
     * @param factory makes the threads
     */
    Staff(String queue, @Nullable Duration life, LongSupplier nanoTime, Runnable work, ThreadFactory factory) {
        this.queue = queue;
        this.life = life;
        this.nanoTime = nanoTime;
        this.work = work;
        this.factory = factory;
    }

    /** Hires until there are so many; those beyond leave. */
    synchronized void want(int number) {
        wanted = number;
        while (!closed && threads.size() < wanted) {
            hire();
        }
    }

    synchronized int wanted() {
        return wanted;
    }

    private void hire() {
        Thread thread = factory.newThread(this::work);
        thread.setName("acidq-" + queue + "-" + ++hired);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void work() {
        try {
            work.run();
        } catch (
                Throwable e) { // out of memory between two runs, say: the queue must not have one worker fewer for ever
            LockSupport.parkNanos(MOURNING.toNanos()); // its successor may die of the same
            replace(Thread.currentThread());
            throw e;
        }
    }

    /** When a worker that begins now is too old. */
    long retires() {
        if (life == null) {
            return Long.MAX_VALUE;
        }
        double spread = 1 - SPREAD * ThreadLocalRandom.current().nextDouble();
        return nanoTime.getAsLong() + (long) (life.toNanos() * spread);
    }

    /**
     * Whether the calling worker goes on; when not, its place is taken by another or given up.
     *
     * @param retires what {@link #retires} said when it began
     */
    synchronized boolean keeps(long retires) {
        boolean old = life != null && nanoTime.getAsLong() - retires >= 0;
        if (!closed && !old && threads.size() <= wanted) {
            return true;
        }
        threads.remove(Thread.currentThread());
        leaving.removeIf(left -> !left.isAlive());
        leaving.add(Thread.currentThread());
        want(wanted);
        return false;
    }

    /** Another one takes the place of a worker that is not to be waited for. */
    synchronized void replace(Thread lost) {
        threads.remove(lost);
        want(wanted);
    }

    /** Nobody is hired any more, and all leave. */
    synchronized void close() {
        closed = true;
    }

    /** After its close, once nothing runs: waits until all have gone, but for those that were {@link #replace replaced}. */
    void awaitGone(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Thread each : all()) {
            each.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
    }

    private synchronized List<Thread> all() {
        return Stream.concat(threads.stream(), leaving.stream()).toList();
    }
}

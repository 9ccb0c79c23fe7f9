package io.acidq.engine.listener;

import io.acidq.config.Concurrency;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The worker threads of one queue. A thread that is surplus or too old ends by itself between two executions; the pool
 * does not interrupt it. As a periodic task it scales an elastic pool. It adds workers while all of them are busy and
 * have work for more than a moment. It removes those that were not needed during the idle timeout. Thread-safe.
 */
final class WorkerPool implements PeriodicTask {

    /** The lifetimes of workers differ by up to this share, so that they do not all end at once. */
    private static final double LIFETIME_JITTER = 0.2;

    private static final Duration REPLACEMENT_DELAY = Duration.ofSeconds(1);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
    private static final Duration IDLE_CHECK_INTERVAL = Duration.ofMillis(500);

    /** The pool adds no thread for work that takes less time than this. */
    private static final long OVERLOAD_NANOS = Duration.ofMillis(20).toNanos();

    private final String queue;
    private final Concurrency limits;
    private final Consumer<BooleanSupplier> work;
    private final ThreadFactory factory;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final WakeUps.PollerSignal pollerSignal;
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final Set<Thread> threads = new HashSet<>();

    /** Threads that no longer count as workers, but may still have to return a connection. */
    private final Set<Thread> ending = new HashSet<>();

    private int threadsCreated;
    private int targetSize;
    private boolean closed;

    // used only by the thread of the task
    private boolean overloaded;
    private int busyPeak;
    private long periodStart;

    /**
     * Creates an empty pool.
     *
     * @param work         the work of each thread; it returns when its argument, asked between two executions, says
     *                     that the thread is not needed
     * @param factory      creates the threads
     * @param pollerSignal wakes the poller when the pool has another size
     */
    WorkerPool(
            String queue,
            Concurrency limits,
            Consumer<BooleanSupplier> work,
            ThreadFactory factory,
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            WakeUps.PollerSignal pollerSignal,
            LongSupplier nanoTime,
            Telemetry telemetry) {
        this.queue = queue;
        this.limits = limits;
        this.work = work;
        this.factory = factory;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.pollerSignal = pollerSignal;
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.periodStart = nanoTime.getAsLong();
    }

    /** Sets the number of threads: starts missing ones, and lets surplus ones end. */
    synchronized void resize(int number) {
        targetSize = number;
        while (!closed && threads.size() < targetSize) {
            Thread thread = factory.newThread(this::runWorker);
            thread.setName("acidq-" + queue + "-" + ++threadsCreated);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    synchronized int targetSize() {
        return targetSize;
    }

    private void runWorker() {
        try {
            long maxAgeAt = nanoTime.getAsLong() + randomLifetimeNanos();
            work.accept(() -> isNeeded(maxAgeAt));
        } catch (Throwable e) {
            // for example out of memory: a new thread replaces this one, or the queue would have one worker less
            LockSupport.parkNanos(REPLACEMENT_DELAY.toNanos()); // the replacement may fail for the same reason
            replace(Thread.currentThread());
            throw e;
        }
    }

    private long randomLifetimeNanos() {
        Duration lifetime = limits.maxLifetime();
        double share = 1 - LIFETIME_JITTER * ThreadLocalRandom.current().nextDouble();
        return lifetime == null ? 0 : (long) (lifetime.toNanos() * share);
    }

    /** Returns whether the calling thread continues. If not, it is surplus, or another thread takes its place. */
    private synchronized boolean isNeeded(long maxAgeAt) {
        boolean old = limits.maxLifetime() != null && nanoTime.getAsLong() - maxAgeAt >= 0;
        if (!closed && !old && threads.size() <= targetSize) {
            return true;
        }
        threads.remove(Thread.currentThread());
        ending.removeIf(thread -> !thread.isAlive());
        ending.add(Thread.currentThread());
        resize(targetSize);
        return false;
    }

    /** Starts another thread in the place of one that the queue does not wait for. */
    synchronized void replace(Thread abandoned) {
        threads.remove(abandoned);
        resize(targetSize);
    }

    /** Stops starting threads, and lets all threads end. */
    synchronized void close() {
        closed = true;
    }

    /**
     * Waits until all threads have ended, except for {@link #replace replaced} ones. To be called after the close, when
     * no message runs.
     */
    void awaitTermination(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (Thread each : all()) {
            each.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
    }

    private synchronized List<Thread> all() {
        return Stream.concat(threads.stream(), ending.stream()).toList();
    }

    @Override
    public String name() {
        return "worker-pool-" + queue;
    }

    /** Checks once whether the pool needs more or fewer workers. */
    @Override
    public Duration runOnce() {
        MessageBuffer.Counts counts = buffer.counts();
        int workers = targetSize();
        int busy = workers - Math.min(workers, buffer.waitingWorkers());
        busyPeak = Math.max(busyPeak, busy);
        boolean wasOverloaded = overloaded;
        overloaded = busy == workers && prefetch.expectedNanos(counts.startable()) / workers >= OVERLOAD_NANOS;
        if (overloaded && wasOverloaded) {
            scale(workers, Math.min(limits.max(), workers + Math.min(workers, counts.startable())));
        } else if (nanoTime.getAsLong() - periodStart >= limits.idleTimeout().toNanos()) {
            scale(workers, Math.max(limits.min(), Math.min(workers, busyPeak)));
            startPeriod();
        }
        return counts.running() + counts.unstarted() > 0 ? CHECK_INTERVAL : IDLE_CHECK_INTERVAL;
    }

    private void scale(int from, int to) {
        if (to == from) {
            return;
        }
        prefetch.setWorkers(to);
        resize(to);
        startPeriod();
        pollerSignal.wake(); // the capacity of the buffer depends on the number of workers
        telemetry.workersChanged(queue, from, to);
    }

    private void startPeriod() {
        busyPeak = 0;
        periodStart = nanoTime.getAsLong();
    }
}

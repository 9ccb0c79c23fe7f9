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
 * The worker threads of one queue, as many as are wanted. A thread too many, or too old, leaves by itself between two executions; none is
 * interrupted for that. As a task it scales an elastic pool: it wants more while all workers are busy and what could start beside them
 * would take them more than a moment, and fewer when some were not needed for the idle time. Thread-safe.
 */
final class WorkerPool implements PeriodicTask {

    /** The lives of workers differ by up to this share, so that not all end at once. */
    private static final double LIFETIME_JITTER = 0.2;

    private static final Duration REPLACEMENT_DELAY = Duration.ofSeconds(1);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
    private static final Duration IDLE_CHECK_INTERVAL = Duration.ofMillis(500);

    /** Work that is over sooner is not worth a thread. */
    private static final long OVERLOAD_NANOS = Duration.ofMillis(20).toNanos();

    private final String queue;
    private final Concurrency limits;
    private final Consumer<BooleanSupplier> loop;
    private final ThreadFactory factory;
    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final WakeUps.PollerSignal pollerSignal;
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final Set<Thread> threads = new HashSet<>();

    /** Threads that are not counted any more, and may still give back a connection that they kept. */
    private final Set<Thread> leaving = new HashSet<>();

    private int threadsCreated;
    private int targetSize;
    private boolean closed;

    // confined to the thread of the task
    private boolean overloaded;
    private int busyPeak;
    private long periodStart;

    /**
     * Empty at first.
     *
     * @param loop    what each thread does: works while it is told, between two executions, that it stays
     * @param factory makes the threads
     * @param hints   wakes the poller when the buffer has another size
     */
    WorkerPool(
            String queue,
            Concurrency limits,
            Consumer<BooleanSupplier> loop,
            ThreadFactory factory,
            MessageBuffer buffer,
            PrefetchPolicy pace,
            WakeUps.PollerSignal hints,
            LongSupplier nanoTime,
            Telemetry telemetry) {
        this.queue = queue;
        this.limits = limits;
        this.loop = loop;
        this.factory = factory;
        this.buffer = buffer;
        this.prefetch = pace;
        this.pollerSignal = hints;
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.periodStart = nanoTime.getAsLong();
    }

    /** Starts threads until there are so many; those beyond leave. */
    synchronized void resize(int number) {
        targetSize = number;
        while (!closed && threads.size() < targetSize) {
            Thread thread = factory.newThread(this::work);
            thread.setName("acidq-" + queue + "-" + ++threadsCreated);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    synchronized int targetSize() {
        return targetSize;
    }

    private void work() {
        try {
            long retires = retirementTime();
            loop.accept(() -> mayStay(retires));
        } catch (Throwable e) { // out of memory, say: the queue must not have one worker fewer for ever
            LockSupport.parkNanos(REPLACEMENT_DELAY.toNanos()); // which may die of the same
            replace(Thread.currentThread());
            throw e;
        }
    }

    /** When a thread that begins now is too old. */
    private long retirementTime() {
        Duration life = limits.maxLifetime();
        if (life == null) {
            return Long.MAX_VALUE;
        }
        double spread = 1 - LIFETIME_JITTER * ThreadLocalRandom.current().nextDouble();
        return nanoTime.getAsLong() + (long) (life.toNanos() * spread);
    }

    /** Whether the calling thread goes on; when not, another one takes its place, or it is one too many. */
    private synchronized boolean mayStay(long retires) {
        boolean old = limits.maxLifetime() != null && nanoTime.getAsLong() - retires >= 0;
        if (!closed && !old && threads.size() <= targetSize) {
            return true;
        }
        threads.remove(Thread.currentThread());
        leaving.removeIf(left -> !left.isAlive());
        leaving.add(Thread.currentThread());
        resize(targetSize);
        return false;
    }

    /** Another thread takes the place of one that the queue does not wait for. */
    synchronized void replace(Thread lost) {
        threads.remove(lost);
        resize(targetSize);
    }

    /** No thread is started any more, and all leave. */
    synchronized void close() {
        closed = true;
    }

    /** Waits, after the close and once nothing runs, until all threads have ended, except for those that were {@link #replace replaced}. */
    void awaitTermination(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Thread each : all()) {
            each.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
    }

    private synchronized List<Thread> all() {
        return Stream.concat(threads.stream(), leaving.stream()).toList();
    }

    @Override
    public String name() {
        return "worker-pool-" + queue;
    }

    /** Looks once whether there should be more workers, or fewer. */
    @Override
    public Duration runOnce() {
        MessageBuffer.Counts counts = buffer.counts();
        int workers = targetSize();
        int busy = workers - Math.min(workers, buffer.waitingWorkers());
        busyPeak = Math.max(busyPeak, busy);
        boolean pressedBefore = overloaded;
        overloaded = busy == workers && prefetch.expectedNanos(counts.startable()) / workers >= OVERLOAD_NANOS;
        if (overloaded && pressedBefore) {
            scale(workers, Math.min(limits.max(), workers + Math.min(workers, counts.startable())));
        } else if (nanoTime.getAsLong() - periodStart >= limits.idleTimeout().toNanos()) {
            scale(workers, Math.max(limits.min(), Math.min(workers, busyPeak)));
            startPeriod();
        }
        return counts.running() + counts.waiting() > 0 ? CHECK_INTERVAL : IDLE_CHECK_INTERVAL;
    }

    private void scale(int from, int to) {
        if (to == from) {
            return;
        }
        prefetch.setWorkers(to);
        resize(to);
        startPeriod();
        pollerSignal.wake(); // the buffer may hold another number of messages now
        telemetry.workersChanged(queue, from, to);
    }

    private void startPeriod() {
        busyPeak = 0;
        periodStart = nanoTime.getAsLong();
    }
}

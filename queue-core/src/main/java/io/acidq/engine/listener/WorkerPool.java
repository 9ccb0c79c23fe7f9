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
    private static final double SPREAD = 0.2;

    private static final Duration BEFORE_A_SUCCESSOR = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration BETWEEN_LOOKS_AT_REST = Duration.ofMillis(500);

    /** Work that is over sooner is not worth a thread. */
    private static final long MOMENT_NANOS = Duration.ofMillis(20).toNanos();

    private final String queue;
    private final Concurrency limits;
    private final Consumer<BooleanSupplier> loop;
    private final ThreadFactory factory;
    private final MessageBuffer buffer;
    private final PrefetchPolicy pace;
    private final WakeUps.PollerSignal hints;
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final Set<Thread> threads = new HashSet<>();

    /** Threads that are not counted any more, and may still give back a connection that they kept. */
    private final Set<Thread> leaving = new HashSet<>();

    private int made;
    private int wanted;
    private boolean closed;

    // confined to the thread of the task
    private boolean pressed;
    private int needed;
    private long since;

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
        this.pace = pace;
        this.hints = hints;
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.since = nanoTime.getAsLong();
    }

    /** Starts threads until there are so many; those beyond leave. */
    synchronized void want(int number) {
        wanted = number;
        while (!closed && threads.size() < wanted) {
            Thread thread = factory.newThread(this::work);
            thread.setName("acidq-" + queue + "-" + ++made);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    synchronized int wanted() {
        return wanted;
    }

    private void work() {
        try {
            long retires = retires();
            loop.accept(() -> stays(retires));
        } catch (Throwable e) { // out of memory, say: the queue must not have one worker fewer for ever
            LockSupport.parkNanos(BEFORE_A_SUCCESSOR.toNanos()); // which may die of the same
            replace(Thread.currentThread());
            throw e;
        }
    }

    /** When a thread that begins now is too old. */
    private long retires() {
        Duration life = limits.maxLifetime();
        if (life == null) {
            return Long.MAX_VALUE;
        }
        double spread = 1 - SPREAD * ThreadLocalRandom.current().nextDouble();
        return nanoTime.getAsLong() + (long) (life.toNanos() * spread);
    }

    /** Whether the calling thread goes on; when not, another one takes its place, or it is one too many. */
    private synchronized boolean stays(long retires) {
        boolean old = limits.maxLifetime() != null && nanoTime.getAsLong() - retires >= 0;
        if (!closed && !old && threads.size() <= wanted) {
            return true;
        }
        threads.remove(Thread.currentThread());
        leaving.removeIf(left -> !left.isAlive());
        leaving.add(Thread.currentThread());
        want(wanted);
        return false;
    }

    /** Another thread takes the place of one that the queue does not wait for. */
    synchronized void replace(Thread lost) {
        threads.remove(lost);
        want(wanted);
    }

    /** No thread is started any more, and all leave. */
    synchronized void close() {
        closed = true;
    }

    /** Waits, after the close and once nothing runs, until all threads have ended, except for those that were {@link #replace replaced}. */
    void awaitGone(Duration patience) throws InterruptedException {
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
        int workers = wanted();
        int busy = workers - Math.min(workers, buffer.waitingWorkers());
        needed = Math.max(needed, busy);
        boolean pressedBefore = pressed;
        pressed = busy == workers && pace.nanosFor(counts.startable()) / workers >= MOMENT_NANOS;
        if (pressed && pressedBefore) {
            scale(workers, Math.min(limits.max(), workers + Math.min(workers, counts.startable())));
        } else if (nanoTime.getAsLong() - since >= limits.idleTimeout().toNanos()) {
            scale(workers, Math.max(limits.min(), Math.min(workers, needed)));
            startAnew();
        }
        return counts.running() + counts.waiting() > 0 ? BETWEEN_LOOKS : BETWEEN_LOOKS_AT_REST;
    }

    private void scale(int from, int to) {
        if (to == from) {
            return;
        }
        pace.workers(to);
        want(to);
        startAnew();
        hints.wake(); // the buffer may hold another number of messages now
        telemetry.workersChanged(queue, from, to);
    }

    private void startAnew() {
        needed = 0;
        since = nanoTime.getAsLong();
    }
}

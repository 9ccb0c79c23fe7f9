package io.acidq.engine.maintenance;

import io.acidq.admin.History.Gauges;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.store.HistoryStore;
import io.acidq.store.HistoryStore.QueueNumbers;
import io.acidq.store.QueueStore;
import io.acidq.telemetry.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds what this engine has counted to the history, once a minute. The first write comes after 30 to 90 seconds, at random, so that engines that start together do
 * not write together. Nothing is written when nothing was counted.
 *
 * <p>The thread of the writer starts with the engine, or with the first count of an engine that is not started, and ends with the engine, or after a
 * minute in which an engine that is not started has counted nothing. At its end it writes once more. What an engine counts after its stop is written
 * when it is started or stopped again, if at all: a stopped engine has no thread. A failure never reaches the code that counts.
 */
public final class HistoryWriter {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    /** After so many failures in a row, an engine that is not started drops its counts, and one that is started tries once a minute. */
    static final int MAX_FAILURES = 5;

    private final HistoryCounters counters;
    private final HistoryStore store;
    private final IntSupplier node;
    private final Supplier<List<QueueState>> served;
    private final FailureTracker failures;
    private final BooleanSupplier databaseWorks;
    private final LongSupplier nanoTime;
    private final Duration period;

    // guarded by this
    private @Nullable WriterThread thread;
    private volatile boolean started;

    // confined to the thread of the writer; its start and end are in the monitor
    private final Map<String, List<Long>> written = new HashMap<>();
    private final Set<String> hadReady = new HashSet<>();
    private long lastWrite;
    private int failuresInARow;

    private volatile boolean hasWritten;

    /**
     * A writer without a thread.
     *
     * @param node   returns the number of the node; 0 if the engine has none
     * @param served returns the queues that the engine serves
     * @param databaseWorks whether no outage is known
     */
    public HistoryWriter(
            HistoryCounters counters,
            HistoryStore store,
            IntSupplier node,
            Supplier<List<QueueState>> served,
            FailureTracker failures,
            BooleanSupplier databaseWorks,
            LongSupplier nanoTime) {
        this(counters, store, node, served, failures, databaseWorks, nanoTime, PERIOD);
    }

    HistoryWriter(
            HistoryCounters counters,
            HistoryStore store,
            IntSupplier node,
            Supplier<List<QueueState>> served,
            FailureTracker failures,
            BooleanSupplier databaseWorks,
            LongSupplier nanoTime,
            Duration period) {
        this.counters = counters;
        this.store = store;
        this.node = node;
        this.served = served;
        this.failures = failures;
        this.databaseWorks = databaseWorks;
        this.nanoTime = nanoTime;
        this.period = period;
        this.lastWrite = nanoTime.getAsLong();
        this.hasWritten = counters.isEnabled(); // rows of an earlier process may be old enough
        counters.onCount(this::startThread);
    }

    /** Starts the writer with its engine. */
    public synchronized void start() {
        started = true;
        if (counters.isEnabled()) {
            startThread();
        }
    }

    private synchronized void startThread() {
        if (thread == null) {
            WriterThread starting = new WriterThread();
            starting.start();
            thread = starting;
            counters.onCount(() -> {});
        }
    }

    /** Writes what is not written yet, and ends the thread. Waits for that, at most this long. */
    public void stop(Duration timeout) throws InterruptedException {
        WriterThread ending;
        synchronized (this) {
            started = false;
            if (thread == null && counters.isEnabled() && !counted().isEmpty()) {
                startThread(); // for what was counted after an earlier stop
            }
            ending = thread;
        }
        if (ending != null) {
            ending.stop.countDown();
            ending.join(timeout.toMillis());
        }
    }

    /** Returns whether the table may have old rows: at the first call, and after each write. */
    boolean takeHasWritten() {
        boolean value = hasWritten;
        hasWritten = false;
        return value;
    }

    /** There may be more rows to remove. */
    void setHasWritten() {
        hasWritten = true;
    }

    private final class WriterThread extends Thread {

        private final CountDownLatch stop = new CountDownLatch(1);

        WriterThread() {
            super("acidq-history-writer");
            setDaemon(true);
        }

        @Override
        public void run() {
            long wait = period.toMillis() / 2 + ThreadLocalRandom.current().nextLong(period.toMillis() + 1);
            while (!awaitStop(wait)) {
                wait = writeOrReport().toMillis();
                if (endIfIdle()) {
                    return;
                }
            }
            if (databaseWorks.getAsBoolean()) { // otherwise the stop would wait for it
                writeOrReport();
            }
            synchronized (HistoryWriter.this) {
                thread = null;
                if (started) { // started again during the stop
                    startThread();
                }
            }
        }

        private boolean awaitStop(long millis) {
            try {
                return stop.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) { // of a driver or of the application: the engine interrupts no task
                return false;
            }
        }

        /** Ends the thread of an engine that is not started, when everything is written. */
        private boolean endIfIdle() {
            synchronized (HistoryWriter.this) {
                if (started || stop.getCount() == 0) {
                    return false;
                }
                counters.onCount(
                        HistoryWriter.this::startThread); // before the last look: a later count starts a new thread
                if (!counted().isEmpty()) {
                    counters.onCount(() -> {});
                    return false;
                }
                thread = null;
                return true;
            }
        }
    }

    private Duration writeOrReport() {
        try {
            write();
            failuresInARow = 0;
            failures.recordSuccess();
            return period;
        } catch (Throwable e) { // also an Error: the thread must not end while the engine runs
            Duration backoff = failures.recordFailure(e);
            boolean failsLong = ++failuresInARow >= MAX_FAILURES;
            if (failsLong && !started) { // its pool may be closed: nothing else ends the thread
                written.putAll(counters.snapshot());
            }
            return failsLong ? period : backoff;
        }
    }

    /** Writes what was counted since the last write. Returns whether there was something. */
    boolean write() {
        Map<String, List<Long>> counted = counted();
        Map<String, Gauges> gauges = gauges(counted.keySet());
        if (counted.isEmpty() && gauges.isEmpty()) {
            lastWrite = nanoTime.getAsLong();
            return false;
        }
        List<Long> nothing = Collections.nCopies(HistoryStore.Count.ALL, 0L);
        Set<String> queues = new HashSet<>(counted.keySet());
        queues.addAll(gauges.keySet());
        List<QueueNumbers> numbers = new ArrayList<>();
        queues.forEach(queue -> numbers.add(new QueueNumbers(
                QueueStore.numberOf(queue), minus(counted.getOrDefault(queue, nothing), queue), gauges.get(queue))));
        long now = nanoTime.getAsLong();
        store.add(Duration.ofNanos(Math.min(now - lastWrite, period.toNanos()) / 2), numbers);
        // reached also when the result of the COMMIT is unknown: to write the numbers again could count them twice
        lastWrite = now;
        hasWritten = true;
        written.putAll(counted);
        hadReady.clear();
        gauges.forEach((queue, found) -> {
            if (found.ready() > 0) {
                hadReady.add(queue);
            }
        });
        return true;
    }

    /** Returns the present counters of the queues in which something was counted since the last write. */
    private Map<String, List<Long>> counted() {
        Map<String, List<Long>> counted = counters.snapshot();
        counted.entrySet().removeIf(entry -> entry.getValue().equals(written.get(entry.getKey())));
        return counted;
    }

    private List<Long> minus(List<Long> present, String queue) {
        List<Long> before = written.get(queue);
        if (before == null) {
            return present;
        }
        List<Long> difference = new ArrayList<>(present.size());
        for (int i = 0; i < present.size(); i++) {
            difference.add(Math.max(0, present.get(i) - before.get(i)));
        }
        return difference;
    }

    /**
     * Counts the backlogs of the queues in which something happens, or waits although nothing happens. For the other queues there is no statement: an idle engine reads
     * nothing.
     */
    private Map<String, Gauges> gauges(Set<String> counted) {
        int own = node.getAsInt();
        if (own == 0) {
            return Map.of();
        }
        Map<Integer, String> wanted = new HashMap<>();
        for (QueueState state : served.get()) {
            String queue = state.queue();
            if (counted.contains(queue)
                    || hadReady.contains(queue)
                    || state.paused()
                    || state.stoppedBy().isPresent()) {
                wanted.put(QueueStore.numberOf(queue), queue);
            }
        }
        if (wanted.isEmpty()) {
            return Map.of();
        }
        Map<String, Gauges> gauges = new HashMap<>();
        store.gauges(own, wanted.keySet())
                .forEach((queue, found) -> gauges.put(Objects.requireNonNull(wanted.get(queue)), found));
        return gauges;
    }
}

package io.acidq.dashboard.read;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Results of reads that many viewers ask for again and again. A result is kept for 20 times as long as the read took, and for at least 2 seconds; meanwhile it
 * answers all of them. Thread-safe.
 */
public final class SharedReads {

    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final int REST = 20;
    private static final int MAX_KEPT = 200;

    private final LongSupplier nanoTime;
    private final Map<Object, Entry> entries = new LinkedHashMap<>(16, 0.75f, true) { // guarded by itself
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Object, Entry> eldest) {
                    return size() > MAX_KEPT;
                }
            };

    SharedReads(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Returns a result that is some seconds old, or reads it. While one caller reads it, the others wait for at most a second.
     *
     * @param key identifies what is read; the results of a key have one type
     */
    @SuppressWarnings("unchecked") // the results of a key have one type
    public <T> T get(Object key, Supplier<T> read) {
        Entry entry;
        synchronized (entries) {
            entry = entries.computeIfAbsent(key, each -> new Entry());
        }
        Result known = entry.result;
        if (known != null && nanoTime.getAsLong() - known.validUntil() < 0) {
            return (T) known.value();
        }
        if (!Database.lock(entry.reading)) {
            throw Database.busy();
        }
        try {
            known = entry.result;
            long start = nanoTime.getAsLong();
            if (known != null && start - known.validUntil() < 0) {
                return (T) known.value(); // another caller has just read it
            }
            T value = read.get();
            long end = nanoTime.getAsLong();
            entry.result = new Result(value, end + Math.max(PERIOD.toNanos(), REST * (end - start)));
            return value;
        } finally {
            entry.reading.unlock();
        }
    }

    /** Forgets all results. It is called after a change, so that the next request shows the change. */
    public void clear() {
        synchronized (entries) {
            entries.clear();
        }
    }

    private record Result(Object value, long validUntil) {}

    private static final class Entry {
        private final ReentrantLock reading = new ReentrantLock();
        private volatile @Nullable Result result;
    }
}

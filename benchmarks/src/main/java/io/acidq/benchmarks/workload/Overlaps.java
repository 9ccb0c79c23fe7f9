package io.acidq.benchmarks.workload;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Counts the handlers, of this process, that begin while another one of their ordering key runs: their effects may be in order by luck. Thread-safe. */
final class Overlaps implements HandlerLog.HandlerListener {

    private final LongFunction<@Nullable String> keys;
    private final ConcurrentMap<String, Integer> running = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    /**
     * For messages of these keys.
     *
     * @param keys of each message, null for none
     */
    Overlaps(LongFunction<@Nullable String> keys) {
        this.keys = keys;
    }

    @Override
    public void begins(long id) {
        String key = keys.apply(id);
        if (key != null && running.merge(key, 1, Integer::sum) > 1) {
            count.incrementAndGet();
        }
    }

    @Override
    public void ends(long id) {
        String key = keys.apply(id);
        if (key != null) {
            running.computeIfPresent(key, (its, handlers) -> handlers == 1 ? null : handlers - 1);
        }
    }

    long count() {
        return count.get();
    }
}

package io.acidq.benchmarks.candidate.handwritten;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a backlog, dealt out in memory: whoever is done takes the next ones. Shares get smaller towards the end, or the others would wait
 * for whoever took the last one. Thread-safe.
 */
final class IdShares {

    private static final int MOST = 500;

    private final AtomicLong next;
    private final long end;
    private final int takers;
    private final int unit;

    /** From the first id to the one before the end. */
    record Share(long first, long end) {}

    /**
     * Of ids from {@code first} to below {@code end}.
     *
     * @param takers who work at once
     * @param unit   shares are multiples of so many, the last one excepted
     */
    IdShares(long first, long end, int takers, int unit) {
        this.next = new AtomicLong(first);
        this.end = end;
        this.takers = takers;
        this.unit = unit;
    }

    /** Null when none are left. */
    @Nullable
    Share take() {
        long first = next.getAndUpdate(this::after);
        return first < end ? new Share(first, after(first)) : null;
    }

    private long after(long first) {
        long size = Math.min(MOST, (end - first) / (2L * takers));
        return Math.min(end, first + Math.max(unit, size - size % unit));
    }
}

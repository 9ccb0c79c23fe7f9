package io.acidq.engine.node;

import java.util.TreeSet;

/**
 * The node's running numbers of claim transactions, and which of them are under way: the reconciler leaves those and all later
 * ones alone. Thread-safe.
 */
public final class OpenClaims {

    private final TreeSet<Long> open = new TreeSet<>();
    private long last;

    public synchronized long begin() {
        open.add(++last);
        return last;
    }

    public synchronized void end(long batch) {
        open.remove(batch);
    }

    /** Every claim with a lower number is in a buffer by now, or failed. */
    public synchronized long firstOpenBatch() {
        return open.isEmpty() ? last + 1 : open.first();
    }
}

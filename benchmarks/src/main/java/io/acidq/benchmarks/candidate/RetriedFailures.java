package io.acidq.benchmarks.candidate;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the failures of a run that are retried. Each may cause a pause, which lowers the rate. Thread-safe. */
public final class RetriedFailures {

    /** Names of the figures. */
    public static final String DEADLOCKS = "deadlocks";

    public static final String OTHERS = "otherFailures";

    private static final int DEADLOCK = 1213;

    private final LongAdder deadlocks = new LongAdder();
    private final LongAdder others = new LongAdder();

    /** Counts a failure. Returns whether it was a deadlock, which can be retried at once. */
    public boolean add(Throwable failure) {
        boolean deadlock = isDeadlock(failure);
        (deadlock ? deadlocks : others).increment();
        return deadlock;
    }

    private static boolean isDeadlock(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException database && database.getErrorCode() == DEADLOCK) {
                return true;
            }
        }
        return false;
    }

    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(DEADLOCKS, (double) deadlocks.sum());
        figures.put(OTHERS, (double) others.sum());
        return figures;
    }
}

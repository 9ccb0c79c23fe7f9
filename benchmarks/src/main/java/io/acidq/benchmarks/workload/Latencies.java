package io.acidq.benchmarks.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import org.HdrHistogram.Histogram;

/** From the return of the COMMIT to the begin of the handler; and from when the letter was to go, in which a producer's delay shows too. Thread-safe. */
final class Latencies implements FixedRate.SendListener {

    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
    private static final int DIGITS = 3;

    private final AtomicLongArray intended;
    private final AtomicLongArray committed;

    Latencies(int letters) {
        intended = new AtomicLongArray(letters);
        committed = new AtomicLongArray(letters);
    }

    @Override
    public void placed(int id, long whenIntended, long whenCommitted) {
        intended.set(id, whenIntended);
        committed.set(id, whenCommitted);
    }

    /** 0 when it was not placed. */
    long committedAt(int id) {
        return committed.get(id);
    }

    int placed() {
        int placed = 0;
        for (int id = 0; id < committed.length(); id++) {
            placed += committed.get(id) == 0 ? 0 : 1;
        }
        return placed;
    }

    /** Of those letters that were placed and begun. */
    Map<String, Double> figures(HandlerLog handlerLog, IntPredicate of) {
        Histogram latency = new Histogram(LONGEST_MICROS, DIGITS);
        Histogram response = new Histogram(LONGEST_MICROS, DIGITS);
        for (int id = 0; id < committed.length(); id++) {
            if (of.test(id) && committed.get(id) != 0 && handlerLog.begunAt(id) != 0) {
                latency.recordValue(micros(handlerLog.begunAt(id) - committed.get(id)));
                response.recordValue(micros(handlerLog.begunAt(id) - intended.get(id)));
            }
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("p50Millis", latency.getValueAtPercentile(50) / 1e3);
        figures.put("p90Millis", latency.getValueAtPercentile(90) / 1e3);
        figures.put("p99Millis", latency.getValueAtPercentile(99) / 1e3);
        figures.put("p999Millis", latency.getValueAtPercentile(99.9) / 1e3);
        figures.put("maxMillis", latency.getMaxValue() / 1e3);
        figures.put("responseP50Millis", response.getValueAtPercentile(50) / 1e3);
        figures.put("responseP99Millis", response.getValueAtPercentile(99) / 1e3);
        return figures;
    }

    /** A handler may begin before the producer's thread has noticed that its COMMIT has returned. */
    private static long micros(long nanos) {
        return Math.min(LONGEST_MICROS, Math.max(0, nanos / 1000));
    }
}

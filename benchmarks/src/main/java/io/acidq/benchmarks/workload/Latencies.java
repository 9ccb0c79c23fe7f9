package io.acidq.benchmarks.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import org.HdrHistogram.Histogram;

/**
 * The times from the return of the COMMIT to the start of the handler. The response times count from the planned time of the message, so that a
 * delay of the producer shows too. Thread-safe.
 */
final class Latencies implements FixedRate.SendListener {

    private static final long MAX_MICROS = TimeUnit.HOURS.toMicros(1);
    private static final int DIGITS = 3;

    private final AtomicLongArray planned;
    private final AtomicLongArray committed;

    Latencies(int messages) {
        planned = new AtomicLongArray(messages);
        committed = new AtomicLongArray(messages);
    }

    @Override
    public void sent(int id, long plannedAt, long committedAt) {
        planned.set(id, plannedAt);
        committed.set(id, committedAt);
    }

    /** The time of the COMMIT; 0 if the message was not sent. */
    long committedAt(int id) {
        return committed.get(id);
    }

    /** The number of sent messages. */
    int sent() {
        int sent = 0;
        for (int id = 0; id < committed.length(); id++) {
            sent += committed.get(id) == 0 ? 0 : 1;
        }
        return sent;
    }

    /** The figures of all measured messages that were sent and started. */
    Map<String, Double> figures(HandlerLog handlerLog, IntPredicate measured) {
        Histogram latency = new Histogram(MAX_MICROS, DIGITS);
        Histogram response = new Histogram(MAX_MICROS, DIGITS);
        for (int id = 0; id < committed.length(); id++) {
            if (measured.test(id) && committed.get(id) != 0 && handlerLog.startedAt(id) != 0) {
                latency.recordValue(micros(handlerLog.startedAt(id) - committed.get(id)));
                response.recordValue(micros(handlerLog.startedAt(id) - planned.get(id)));
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

    /** At least 0, because a handler may start before the producer's thread reads the clock after its COMMIT. */
    private static long micros(long nanos) {
        return Math.min(MAX_MICROS, Math.max(0, nanos / 1000));
    }
}

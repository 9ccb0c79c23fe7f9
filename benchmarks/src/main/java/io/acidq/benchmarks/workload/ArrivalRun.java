package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.function.IntPredicate;

/**
 * A run in which messages come while workers wait for them.
 *
 * @param manner  what handlers do
 * @param looksAt the messages whose latency is of interest
 */
record ArrivalRun(HandlerLog.Manner manner, IntPredicate looksAt) {

    /** Places all messages of the flow. */
    @FunctionalInterface
    interface Source {
        void run(Latencies latencies) throws Exception;
    }

    RunFigures run(BenchmarkRun benchmarkRun, Source source) throws Exception {
        int messages = benchmarkRun.sizes().flow().messages();
        HandlerLog handlerLog = benchmarkRun.tally(messages, manner);
        Latencies latencies = new Latencies(messages);
        benchmarkRun.connect();
        benchmarkRun.bench().start(benchmarkRun.sizes().workers(), handlerLog);
        Meter meter = benchmarkRun.meter();
        source.run(latencies);
        int placed = latencies.placed();
        boolean finished = benchmarkRun.await(handlerLog, placed);
        var costs = meter.perMessage(placed);
        RunAudit runAudit = benchmarkRun.audit(messages, messages, finished && placed == messages);
        return new RunFigures(runAudit)
                .withAll(latencies.figures(handlerLog, looksAt))
                .withAll(costs);
    }
}

package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.function.IntPredicate;

/**
 * A run in which messages come while workers wait for them.
 *
 * @param handlerBehaviour  what handlers do
 * @param measured the messages whose latency is of interest
 */
record ArrivalRun(HandlerLog.HandlerBehaviour handlerBehaviour, IntPredicate measured) {

    /** Places all messages of the flow. */
    @FunctionalInterface
    interface Source {
        void run(Latencies latencies) throws Exception;
    }

    RunFigures run(BenchmarkRun benchmarkRun, Source source) throws Exception {
        int messages = benchmarkRun.sizes().arrivalRate().messages();
        HandlerLog handlerLog = benchmarkRun.handlerLog(messages, handlerBehaviour);
        Latencies latencies = new Latencies(messages);
        benchmarkRun.connect();
        benchmarkRun.adapter().start(benchmarkRun.sizes().workers(), handlerLog);
        Meter meter = benchmarkRun.meter();
        source.run(latencies);
        int placed = latencies.placed();
        boolean finished = benchmarkRun.await(handlerLog, placed);
        var costs = meter.perMessage(placed);
        RunAudit runAudit = benchmarkRun.audit(messages, messages, finished && placed == messages);
        return new RunFigures(runAudit)
                .withAll(latencies.figures(handlerLog, measured))
                .withAll(costs);
    }
}

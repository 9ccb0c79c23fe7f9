package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;

/**
 * A backlog that is built and worked off.
 *
 * @param backlog  what is there at first
 * @param wanted how many of it are worked off and measured
 * @param handlerBehaviour what handlers do
 */
record BacklogRun(Backlog backlog, long wanted, HandlerLog.HandlerBehaviour handlerBehaviour) {

    /** All of it, by plain handlers. */
    static BacklogRun all(Backlog backlog) {
        return new BacklogRun(backlog, backlog.count(), HandlerLog.HandlerBehaviour.PLAIN);
    }

    RunFigures run(BenchmarkRun benchmarkRun) throws Exception {
        benchmarkRun.adapter().fill(backlog);
        return runFilled(benchmarkRun);
    }

    /** When the backlog is there. */
    RunFigures runFilled(BenchmarkRun benchmarkRun) throws Exception {
        HandlerLog handlerLog = benchmarkRun.handlerLog(backlog.count(), handlerBehaviour);
        benchmarkRun.connect();
        Meter meter = benchmarkRun.meter();
        benchmarkRun.adapter().start(benchmarkRun.sizes().workers(), handlerLog);
        boolean finished = benchmarkRun.await(handlerLog, wanted);
        var costs = meter.perMessage(handlerLog.done());
        double rate = handlerLog.perSecond();
        RunAudit runAudit = benchmarkRun.audit(backlog.count(), wanted, finished);
        return new RunFigures(runAudit).with(Metric.RATE.key(), rate).withAll(costs);
    }
}

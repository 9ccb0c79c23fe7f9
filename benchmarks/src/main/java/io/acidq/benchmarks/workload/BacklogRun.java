package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;

/**
 * A backlog that is built and worked off.
 *
 * @param stock  what is there at first
 * @param wanted how many of it are worked off and measured
 * @param manner what handlers do
 */
record BacklogRun(Backlog stock, long wanted, HandlerLog.Manner manner) {

    /** All of it, by plain handlers. */
    static BacklogRun all(Backlog backlog) {
        return new BacklogRun(backlog, backlog.count(), HandlerLog.Manner.PLAIN);
    }

    RunFigures run(BenchmarkRun benchmarkRun) throws Exception {
        benchmarkRun.bench().fill(stock);
        return runFilled(benchmarkRun);
    }

    /** When the backlog is there. */
    RunFigures runFilled(BenchmarkRun benchmarkRun) throws Exception {
        HandlerLog handlerLog = benchmarkRun.tally(stock.count(), manner);
        benchmarkRun.connect();
        Meter meter = benchmarkRun.meter();
        benchmarkRun.bench().start(benchmarkRun.sizes().workers(), handlerLog);
        boolean finished = benchmarkRun.await(handlerLog, wanted);
        var costs = meter.perMessage(handlerLog.done());
        double rate = handlerLog.perSecond();
        RunAudit runAudit = benchmarkRun.audit(stock.count(), wanted, finished);
        return new RunFigures(runAudit).with(Metric.RATE.key(), rate).withAll(costs);
    }
}

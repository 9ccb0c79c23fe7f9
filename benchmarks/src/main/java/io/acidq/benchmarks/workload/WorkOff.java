package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Audit;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;

/**
 * A backlog that is built and worked off.
 *
 * @param stock  what is there at first
 * @param wanted how many of it are worked off and measured
 * @param manner what handlers do
 */
record WorkOff(Stock stock, long wanted, Tally.Manner manner) {

    /** All of it, by plain handlers. */
    static WorkOff all(Stock stock) {
        return new WorkOff(stock, stock.count(), Tally.Manner.PLAIN);
    }

    Figures run(Stage stage) throws Exception {
        stage.bench().fill(stock);
        return runFilled(stage);
    }

    /** When the backlog is there. */
    Figures runFilled(Stage stage) throws Exception {
        Tally tally = stage.tally(stock.count(), manner);
        stage.connect();
        Meter meter = stage.meter();
        stage.bench().start(stage.sizes().workers(), tally);
        boolean finished = stage.await(tally, wanted);
        var costs = meter.perMessage(tally.done());
        double rate = tally.perSecond();
        Audit audit = stage.audit(stock.count(), wanted, finished);
        return new Figures(audit).with(Metric.RATE.key(), rate).withAll(costs);
    }
}

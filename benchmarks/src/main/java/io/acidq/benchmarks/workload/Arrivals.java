package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.measure.Audit;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Meter;
import java.util.function.IntPredicate;

/**
 * A run in which messages come while workers wait for them.
 *
 * @param manner  what handlers do
 * @param looksAt the messages whose latency is of interest
 */
record Arrivals(Tally.Manner manner, IntPredicate looksAt) {

    /** Places all messages of the flow. */
    @FunctionalInterface
    interface Source {
        void run(Latencies latencies) throws Exception;
    }

    Figures run(Stage stage, Source source) throws Exception {
        int messages = stage.sizes().flow().messages();
        Tally tally = stage.tally(messages, manner);
        Latencies latencies = new Latencies(messages);
        stage.connect();
        stage.bench().start(stage.sizes().workers(), tally);
        Meter meter = stage.meter();
        source.run(latencies);
        int placed = latencies.placed();
        boolean finished = stage.await(tally, placed);
        var costs = meter.perMessage(placed);
        Audit audit = stage.audit(messages, messages, finished && placed == messages);
        return new Figures(audit).withAll(latencies.figures(tally, looksAt)).withAll(costs);
    }
}

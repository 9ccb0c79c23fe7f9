package io.acidq.benchmarks.workload;

import java.util.List;

/** All there are, in the order in which they run. */
public final class Workloads {

    private Workloads() {}

    public static List<Workload> all() {
        return List.of(
                new Drain(),
                new Produce(),
                new SteadyRate(),
                new SteadyRateOtherProcess(),
                new Growth(),
                new OpenSnapshot(),
                new IdleQueues(),
                new OrderingKeys(),
                new SlowHandlers(),
                new ManyQueues(),
                new Recovery());
    }
}

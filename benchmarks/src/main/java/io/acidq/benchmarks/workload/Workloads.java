package io.acidq.benchmarks.workload;

import java.util.List;

/** All there are, in the order in which they run. */
public final class Workloads {

    private Workloads() {}

    public static List<Workload> all() {
        return List.of(
                new Drain(),
                new Produce(),
                new Steady(),
                new SteadyOther(),
                new Growth(),
                new Snapshot(),
                new Idle(),
                new Order(),
                new Slow(),
                new Queues(),
                new Recovery());
    }
}

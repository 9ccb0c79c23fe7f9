package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import java.util.List;
import java.util.Set;

/** Works off a backlog that is there. */
final class Drain implements Workload {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public String purpose() {
        return "a backlog is worked off";
    }

    @Override
    public List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(new Scenario(
                "backlog",
                Set.of(Capability.BACKLOG),
                runSizes.workersOnly(),
                runSizes.ofMessages(),
                Metric.RATE,
                benchmarkRun -> BacklogRun.all(
                                new Backlog(benchmarkRun.sizes().messages(), benchmarkRun.sizes()::message))
                        .run(benchmarkRun)));
    }
}

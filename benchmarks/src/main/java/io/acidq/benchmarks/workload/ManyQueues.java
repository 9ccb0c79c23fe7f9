package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import java.util.List;
import java.util.Set;

/** A backlog that is spread over many queues. */
final class ManyQueues implements Workload {

    private static final int MANY = 200;

    @Override
    public String name() {
        return "queues";
    }

    @Override
    public String purpose() {
        return "a backlog is worked off in one queue, and spread over " + MANY;
    }

    @Override
    public List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(
                scenario(runSizes, "one", 1, Set.of(Capability.BACKLOG)),
                scenario(runSizes, "many-" + MANY, MANY, Set.of(Capability.BACKLOG, Capability.MANY_QUEUES)));
    }

    private static Scenario scenario(RunSizes runSizes, String name, int queues, Set<Capability> needs) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), 1, queues),
                runSizes.ofMessages(),
                Metric.RATE,
                benchmarkRun -> BacklogRun.all(new Backlog(
                                benchmarkRun.sizes().messages(),
                                id -> benchmarkRun.sizes().message(id).inQueue((int) (id % queues))))
                        .run(benchmarkRun));
    }
}

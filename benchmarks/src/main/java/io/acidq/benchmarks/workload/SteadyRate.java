package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.List;
import java.util.Set;

/** Messages come at a fixed rate from this process: how long until their handlers begin. */
final class SteadyRate implements Workload {

    @Override
    public String name() {
        return "steady";
    }

    @Override
    public String purpose() {
        return "--rate messages a second from this process: from COMMIT's return to the handler's begin";
    }

    @Override
    public List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(scenario(
                runSizes,
                "same-process",
                benchmarkRun -> run(benchmarkRun, new ArrivalRun(HandlerLog.HandlerBehaviour.TIMED, id -> true))));
    }

    static Scenario scenario(RunSizes runSizes, String name, Scenario.Procedure procedure) {
        return scenario(runSizes, name, Set.of(Capability.SENDING, Capability.LIVE), procedure);
    }

    static Scenario scenario(RunSizes runSizes, String name, Set<Capability> needs, Scenario.Procedure procedure) {
        return new Scenario(
                name,
                needs,
                new Parallelism(runSizes.workers(), FixedRate.PRODUCERS, 1),
                runSizes.ofFlow(),
                Metric.P99,
                procedure);
    }

    static RunFigures run(BenchmarkRun benchmarkRun, ArrivalRun arrivalRun) throws Exception {
        return arrivalRun.run(
                benchmarkRun,
                latencies -> new FixedRate(benchmarkRun.adapter(), benchmarkRun.sizes(), latencies).run());
    }
}

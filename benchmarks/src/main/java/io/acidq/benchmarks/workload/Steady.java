package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import java.util.List;
import java.util.Set;

/** Messages come at a fixed rate from this process: how long until their handlers begin. */
final class Steady implements Workload {

    @Override
    public String name() {
        return "steady";
    }

    @Override
    public String purpose() {
        return "--rate messages a second from this process: from COMMIT's return to the handler's begin";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(scenario(
                sizes, "same-process", stage -> run(stage, new Arrivals(Tally.Manner.TIMED, id -> true))));
    }

    static Scenario scenario(Sizes sizes, String name, Scenario.Course course) {
        return scenario(sizes, name, Set.of(Ability.PLACING, Ability.LIVE), course);
    }

    static Scenario scenario(Sizes sizes, String name, Set<Ability> needs, Scenario.Course course) {
        return new Scenario(
                name, needs, new Crew(sizes.workers(), FixedRate.PRODUCERS, 1), sizes.ofFlow(), Metric.P99, course);
    }

    static Figures run(Stage stage, Arrivals arrivals) throws Exception {
        return arrivals.run(stage, latencies -> new FixedRate(stage.bench(), stage.sizes(), latencies).run());
    }
}

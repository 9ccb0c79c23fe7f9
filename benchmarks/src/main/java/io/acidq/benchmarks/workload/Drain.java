package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Stock;
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
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(new Scenario(
                "backlog",
                Set.of(Ability.BACKLOG),
                sizes.workersOnly(),
                sizes.ofMessages(),
                Metric.RATE,
                stage -> WorkOff.all(new Stock(stage.sizes().messages(), stage.sizes()::letter))
                        .run(stage)));
    }
}

package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Metric;
import java.util.List;
import java.util.Set;

/** A backlog that is spread over many queues. */
final class Queues implements Workload {

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
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(
                scenario(sizes, "one", 1, Set.of(Ability.BACKLOG)),
                scenario(sizes, "many-" + MANY, MANY, Set.of(Ability.BACKLOG, Ability.MANY_QUEUES)));
    }

    private static Scenario scenario(Sizes sizes, String name, int queues, Set<Ability> needs) {
        return new Scenario(
                name,
                needs,
                new Crew(sizes.workers(), 1, queues),
                sizes.ofMessages(),
                Metric.RATE,
                stage -> WorkOff.all(new Stock(
                                stage.sizes().messages(),
                                id -> stage.sizes().letter(id).inQueue((int) (id % queues))))
                        .run(stage));
    }
}

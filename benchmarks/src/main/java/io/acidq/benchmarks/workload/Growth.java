package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Remains;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The head of backlogs of different sizes is worked off, and of a small one among finished, scheduled and dead rows. */
final class Growth implements Workload {

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String purpose() {
        return "--messages are worked off, in front of --backlogs that stay; among --archived, --scheduled, --dead rows";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        List<Scenario> scenarios = new ArrayList<>();
        for (long behind : sizes.age().backlogs()) {
            scenarios.add(new Scenario(
                    "behind-" + behind,
                    Set.of(Ability.BACKLOG),
                    sizes.workersOnly(),
                    sizes.ofMessages().and("behind", behind),
                    Metric.RATE,
                    stage -> load(stage.sizes(), behind).run(stage)));
        }
        if (!sizes.age().remains().equals(new Remains(0, 0, 0))) {
            scenarios.add(new Scenario(
                    "remains",
                    Set.of(Ability.BACKLOG, Ability.REMAINS),
                    sizes.workersOnly(),
                    amongRemains(sizes),
                    Metric.RATE,
                    Growth::amongRemains));
        }
        return scenarios;
    }

    private static WorkOff load(Sizes sizes, long behind) {
        return new WorkOff(new Stock(sizes.messages() + behind, sizes::letter), sizes.messages(), Tally.Manner.PLAIN);
    }

    private static Extent amongRemains(Sizes sizes) {
        Remains remains = sizes.age().remains();
        return sizes.ofMessages()
                .and("behind", sizes.age().backlogs().get(0))
                .and("archived", remains.archived())
                .and("scheduled", remains.scheduled())
                .and("dead", remains.dead());
    }

    private static Figures amongRemains(Stage stage) throws Exception {
        WorkOff load = load(stage.sizes(), stage.sizes().age().backlogs().get(0));
        stage.bench().fill(load.stock());
        stage.bench().litter(stage.sizes().age().remains());
        return load.runFilled(stage);
    }
}

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
        Sizes.Age age = sizes.age();
        List<Scenario> scenarios = new ArrayList<>();
        for (long behind : age.backlogs()) {
            scenarios.add(new Scenario(
                    "behind-" + behind,
                    Set.of(Ability.BACKLOG),
                    sizes.workersOnly(),
                    extent(sizes, behind),
                    Metric.RATE,
                    stage -> run(stage, behind, Sizes.Age.NOTHING)));
        }
        if (!age.remains().equals(Sizes.Age.NOTHING)) {
            scenarios.add(new Scenario(
                    "remains",
                    Set.of(Ability.BACKLOG, Ability.REMAINS),
                    sizes.workersOnly(),
                    amongRemains(sizes),
                    Metric.RATE,
                    stage -> run(
                            stage,
                            stage.sizes().age().backlogs().get(0),
                            stage.sizes().age().remains())));
        }
        return scenarios;
    }

    private static Extent extent(Sizes sizes, long behind) {
        return sizes.ofMessages()
                .and("behind", behind)
                .and("analyzed", sizes.age().analyzed() ? 1 : 0);
    }

    private static Extent amongRemains(Sizes sizes) {
        Remains remains = sizes.age().remains();
        return extent(sizes, sizes.age().backlogs().get(0))
                .and("archived", remains.archived())
                .and("scheduled", remains.scheduled())
                .and("dead", remains.dead());
    }

    private static Figures run(Stage stage, long behind, Remains remains) throws Exception {
        Sizes sizes = stage.sizes();
        long most = sizes.age().atMostLargest(behind);
        WorkOff load =
                new WorkOff(new Stock(sizes.messages() + most, sizes::letter), sizes.messages(), Tally.Manner.PLAIN);
        stage.bench().fill(load.stock());
        if (!remains.equals(Sizes.Age.NOTHING)) {
            stage.bench().litter(remains);
        }
        if (sizes.age().analyzed()) {
            stage.analyze();
        }
        return load.runFilled(stage);
    }
}

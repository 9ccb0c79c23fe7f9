package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.TableFill;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunFigures;
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
    public List<Scenario> scenarios(RunSizes runSizes) {
        RunSizes.Age age = runSizes.age();
        List<Scenario> scenarios = new ArrayList<>();
        for (long behind : age.backlogs()) {
            scenarios.add(new Scenario(
                    "behind-" + behind,
                    Set.of(Capability.BACKLOG),
                    runSizes.workersOnly(),
                    extent(runSizes, behind),
                    Metric.RATE,
                    benchmarkRun -> run(benchmarkRun, behind, RunSizes.Age.NOTHING)));
        }
        if (!age.remains().equals(RunSizes.Age.NOTHING)) {
            scenarios.add(new Scenario(
                    "remains",
                    Set.of(Capability.BACKLOG, Capability.REMAINS),
                    runSizes.workersOnly(),
                    amongRemains(runSizes),
                    Metric.RATE,
                    benchmarkRun -> run(
                            benchmarkRun,
                            benchmarkRun.sizes().age().backlogs().get(0),
                            benchmarkRun.sizes().age().remains())));
        }
        return scenarios;
    }

    private static ScenarioSize extent(RunSizes runSizes, long behind) {
        return runSizes.ofMessages()
                .and("behind", behind)
                .and("analyzed", runSizes.age().analyzed() ? 1 : 0);
    }

    private static ScenarioSize amongRemains(RunSizes runSizes) {
        TableFill tableFill = runSizes.age().remains();
        return extent(runSizes, runSizes.age().backlogs().get(0))
                .and("archived", tableFill.archived())
                .and("scheduled", tableFill.scheduled())
                .and("dead", tableFill.dead());
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, long behind, TableFill tableFill) throws Exception {
        RunSizes runSizes = benchmarkRun.sizes();
        long most = runSizes.age().atMostLargest(behind);
        BacklogRun load = new BacklogRun(
                new Backlog(runSizes.messages() + most, runSizes::letter),
                runSizes.messages(),
                HandlerLog.Manner.PLAIN);
        benchmarkRun.bench().fill(load.stock());
        if (!tableFill.equals(RunSizes.Age.NOTHING)) {
            benchmarkRun.bench().litter(tableFill);
        }
        if (runSizes.age().analyzed()) {
            benchmarkRun.analyze();
        }
        return load.runFilled(benchmarkRun);
    }
}

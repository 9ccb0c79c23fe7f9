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
        RunSizes.TableAge tableAge = runSizes.tableAge();
        List<Scenario> scenarios = new ArrayList<>();
        for (long behind : tableAge.backlogs()) {
            scenarios.add(new Scenario(
                    "behind-" + behind,
                    Set.of(Capability.BACKLOG),
                    runSizes.workersOnly(),
                    size(runSizes, behind),
                    Metric.RATE,
                    benchmarkRun -> run(benchmarkRun, behind, RunSizes.TableAge.NOTHING)));
        }
        if (!tableAge.tableFill().equals(RunSizes.TableAge.NOTHING)) {
            scenarios.add(new Scenario(
                    "remains",
                    Set.of(Capability.BACKLOG, Capability.FILLED_TABLES),
                    runSizes.workersOnly(),
                    inFilledTables(runSizes),
                    Metric.RATE,
                    benchmarkRun -> run(
                            benchmarkRun,
                            benchmarkRun.sizes().tableAge().backlogs().get(0),
                            benchmarkRun.sizes().tableAge().tableFill())));
        }
        return scenarios;
    }

    private static ScenarioSize size(RunSizes runSizes, long behind) {
        return runSizes.ofMessages()
                .and("behind", behind)
                .and("analyzed", runSizes.tableAge().analyzed() ? 1 : 0);
    }

    private static ScenarioSize inFilledTables(RunSizes runSizes) {
        TableFill tableFill = runSizes.tableAge().tableFill();
        return size(runSizes, runSizes.tableAge().backlogs().get(0))
                .and("archived", tableFill.archived())
                .and("scheduled", tableFill.scheduled())
                .and("dead", tableFill.dead());
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, long behind, TableFill tableFill) throws Exception {
        RunSizes runSizes = benchmarkRun.sizes();
        long most = runSizes.tableAge().atMostLargest(behind);
        BacklogRun load = new BacklogRun(
                new Backlog(runSizes.messages() + most, runSizes::message),
                runSizes.messages(),
                HandlerLog.HandlerBehaviour.PLAIN);
        benchmarkRun.adapter().fill(load.backlog());
        if (!tableFill.equals(RunSizes.TableAge.NOTHING)) {
            benchmarkRun.adapter().fillTables(tableFill);
        }
        if (runSizes.tableAge().analyzed()) {
            benchmarkRun.analyze();
        }
        return load.runFilled(benchmarkRun);
    }
}

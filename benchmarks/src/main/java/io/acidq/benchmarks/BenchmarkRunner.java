package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.report.CandidateResult;
import io.acidq.benchmarks.report.CandidateResult.Run;
import io.acidq.benchmarks.report.ScenarioResult;
import io.acidq.benchmarks.workload.BenchmarkRun;
import io.acidq.benchmarks.workload.RunSizes;
import io.acidq.benchmarks.workload.Scenario;
import io.acidq.benchmarks.workload.Workload;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the benchmarks. For each workload, all candidates warm up in all scenarios. Then run 1 of all of them follows, then run 2, and each round
 * starts with another scenario and another candidate, so that the age of the program affects all of them alike.
 */
final class BenchmarkRunner {

    private final BenchmarkDatabase benchmarkDatabase;
    private final RunCounts runCounts;
    private final RunSizes runSizes;
    private final ProgressListener progressListener;

    /** Shows progress. */
    interface ProgressListener extends BenchmarkRun.Progress {

        /** Called at the start of a run. */
        void begin(String name);

        /** Called at the end of a run. */
        void end();
    }

    BenchmarkRunner(BenchmarkDatabase benchmarkDatabase, RunCounts runCounts, ProgressListener progressListener) {
        this.benchmarkDatabase = benchmarkDatabase;
        this.runCounts = runCounts;
        this.runSizes = runCounts.sizes();
        this.progressListener = progressListener;
    }

    /** The number of runs, including warm-up runs. */
    static int count(CandidateSelection selection, RunCounts runCounts) {
        RunSizes runSizes = runCounts.sizes();
        int count = 0;
        for (Workload workload : selection.workloads()) {
            for (Scenario scenario : workload.scenarios(runSizes)) {
                int rounds = runCounts.runs() + (warmsUp(scenario, runCounts) ? 1 : 0);
                count += capable(scenario, selection.candidates()).size() * rounds;
            }
        }
        return count;
    }

    List<ScenarioResult> run(CandidateSelection selection) throws SQLException {
        List<ScenarioResult> scenarioResults = new ArrayList<>();
        for (Workload workload : selection.workloads()) {
            scenarioResults.addAll(run(workload, selection.candidates()));
        }
        return scenarioResults;
    }

    private List<ScenarioResult> run(Workload workload, List<Candidate> candidates) throws SQLException {
        List<ScenarioRuns> allRuns = workload.scenarios(runSizes).stream()
                .map(scenario -> ScenarioRuns.of(workload, scenario, capable(scenario, candidates)))
                .toList();
        for (ScenarioRuns scenarioRuns : allRuns) {
            for (CandidateRuns candidateRuns : scenarioRuns.runs()) {
                if (runCounts.warmUp() != null && warmsUp(scenarioRuns.scenario(), runCounts)) {
                    candidateRuns.warmUps().add(run(candidateRuns.candidate(), scenarioRuns, runCounts.warmUp(), 0));
                }
            }
        }
        List<ScenarioRuns> order = new ArrayList<>(allRuns);
        for (int number = 1; number <= runCounts.runs(); number++) {
            for (ScenarioRuns scenarioRuns : order) {
                for (CandidateRuns candidateRuns : scenarioRuns.order()) {
                    candidateRuns.runs().add(run(candidateRuns.candidate(), scenarioRuns, runSizes, number));
                }
                Collections.rotate(scenarioRuns.order(), -1);
            }
            Collections.rotate(order, -1);
        }
        return allRuns.stream()
                .map(scenarioRuns -> scenarioRuns.scenarioResult(
                        runSizes, benchmarkDatabase.maxConnections(), leftOut(scenarioRuns.scenario(), candidates)))
                .toList();
    }

    /** Idle queues and other processes do not profit from a warm-up of this one. */
    private static boolean warmsUp(Scenario scenario, RunCounts runCounts) {
        return runCounts.warmUp() != null && (scenario.metric() == Metric.RATE || scenario.metric() == Metric.P99);
    }

    private static List<Candidate> capable(Scenario scenario, List<Candidate> candidates) {
        return candidates.stream()
                .filter(candidate -> candidate.abilities().containsAll(scenario.needs()))
                .toList();
    }

    private static Map<String, String> leftOut(Scenario scenario, List<Candidate> candidates) {
        Map<String, String> leftOut = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            EnumSet<Capability> lacks = EnumSet.copyOf(scenario.needs());
            lacks.removeAll(candidate.abilities());
            if (!lacks.isEmpty()) {
                leftOut.put(
                        candidate.name(),
                        String.join(", ", lacks.stream().map(Capability::name).toList()));
            }
        }
        return leftOut;
    }

    private Run run(Candidate candidate, ScenarioRuns scenarioRuns, RunSizes sizes, int number) throws SQLException {
        String scenario = scenarioRuns.name();
        progressListener.begin(scenario + " " + candidate.name() + (number == 0 ? " warming up" : " run " + number));
        try {
            benchmarkDatabase.prepare();
            return new Run(number, measure(candidate, scenarioRuns.scenario(), sizes), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (Exception e) { // this candidate fails, and the others continue
            System.err.println("benchmarks: " + scenario + " " + candidate.name() + " failed");
            e.printStackTrace();
            return new Run(number, null, String.valueOf(e));
        } finally {
            benchmarkDatabase.clear();
            progressListener.end();
        }
    }

    private RunFigures measure(Candidate candidate, Scenario scenario, RunSizes sizes) throws Exception {
        BenchmarkRun.RunContext runContext = new BenchmarkRun.RunContext(
                candidate,
                progressListener,
                (database, role, arguments) -> BenchmarkProcessMain.start(candidate, database, role, arguments));
        int poolSize = scenario.parallelism().poolSize(benchmarkDatabase.maxConnections());
        try (CandidateDatabase database = new CandidateDatabase(
                        benchmarkDatabase.login(), benchmarkDatabase.vendor(), scenario.parallelism(), poolSize);
                CandidateAdapter adapter = candidate.open(database);
                BenchmarkRun benchmarkRun = new BenchmarkRun(database, adapter, sizes, runContext)) {
            RunFigures figures = scenario.procedure().run(benchmarkRun);
            return figures.withAll(adapter.failures());
        }
    }

    /**
     * The runs of a scenario so far.
     *
     * @param order the same runs in the order of the next round
     */
    private record ScenarioRuns(
            Workload workload, Scenario scenario, List<CandidateRuns> runs, List<CandidateRuns> order) {

        static ScenarioRuns of(Workload workload, Scenario scenario, List<Candidate> candidates) {
            List<CandidateRuns> runs =
                    candidates.stream().map(CandidateRuns::new).toList();
            return new ScenarioRuns(workload, scenario, runs, new ArrayList<>(runs));
        }

        String name() {
            return workload.name() + "/" + scenario.name();
        }

        ScenarioResult scenarioResult(RunSizes runSizes, int maxConnections, Map<String, String> leftOut) {
            List<CandidateResult> entries = runs.stream()
                    .map(each -> new CandidateResult(each.candidate(), each.runs(), each.warmUps()))
                    .toList();
            return new ScenarioResult(
                    workload.name(),
                    scenario.name(),
                    scenario.metric(),
                    scenario.sizes(runSizes, maxConnections),
                    entries,
                    leftOut);
        }
    }

    /** The runs of a candidate so far. */
    private record CandidateRuns(Candidate candidate, List<Run> runs, List<Run> warmUps) {

        CandidateRuns(Candidate candidate) {
            this(candidate, new ArrayList<>(), new ArrayList<>());
        }
    }

    /**
     * The number and the sizes of the runs of each candidate in each scenario.
     *
     * @param warmUp the sizes of the warm-up run, or null for none
     * @param runs   the number of runs after it
     */
    record RunCounts(RunSizes sizes, @Nullable RunSizes warmUp, int runs) {

        private static final long MIN_MESSAGES_FOR_WARM_UP = 1000;

        RunCounts {
            RunSizes.require(runs >= 1, "--runs must be at least 1, was " + runs);
        }

        /** Adds the default warm-up, unless the runs are only a trial. */
        RunCounts(RunSizes runSizes, int runs) {
            this(runSizes, runSizes.messages() >= MIN_MESSAGES_FOR_WARM_UP ? runSizes.forWarmUp() : null, runs);
        }
    }
}

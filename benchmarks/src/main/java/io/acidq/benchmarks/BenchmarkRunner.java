package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.report.Entry;
import io.acidq.benchmarks.report.Run;
import io.acidq.benchmarks.report.Section;
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

/**
 * Runs everything: of each workload a run of every candidate in every scenario that warms up, then run 1 of them all, then run 2, each time another one first.
 * Neither candidates nor scenarios differ then by how long the program has been running.
 */
final class BenchmarkRunner {

    private final BenchmarkDatabase benchmarkDatabase;
    private final RunCounts runCounts;
    private final RunSizes runSizes;
    private final ProgressListener progressListener;

    /** Tells people how far it is. */
    interface ProgressListener extends BenchmarkRun.Progress {

        /** A run begins. */
        void begin(String what);

        /** A run has ended. */
        void end();
    }

    BenchmarkRunner(BenchmarkDatabase benchmarkDatabase, RunCounts runCounts, ProgressListener progressListener) {
        this.benchmarkDatabase = benchmarkDatabase;
        this.runCounts = runCounts;
        this.runSizes = runCounts.sizes();
        this.progressListener = progressListener;
    }

    /** How many runs there will be, those that only warm up included. */
    static int count(CandidateSelection candidateSelection, RunCounts runCounts) {
        RunSizes runSizes = runCounts.sizes();
        int count = 0;
        for (Workload workload : candidateSelection.workloads()) {
            for (Scenario scenario : workload.scenarios(runSizes)) {
                int rounds = runCounts.runs() + (warmsUp(scenario, runCounts) ? 1 : 0);
                count += able(scenario, candidateSelection.candidates()).size() * rounds;
            }
        }
        return count;
    }

    List<Section> run(CandidateSelection candidateSelection) throws SQLException {
        List<Section> sections = new ArrayList<>();
        for (Workload workload : candidateSelection.workloads()) {
            sections.addAll(run(workload, candidateSelection.candidates()));
        }
        return sections;
    }

    private List<Section> run(Workload workload, List<Candidate> candidates) throws SQLException {
        List<ScenarioRuns> scenarioRunses = workload.scenarios(runSizes).stream()
                .map(scenario -> ScenarioRuns.of(workload, scenario, able(scenario, candidates)))
                .toList();
        for (ScenarioRuns scenarioRuns : scenarioRunses) {
            for (CandidateRuns its : scenarioRuns.turns()) {
                if (runCounts.warmUp() != null && warmsUp(scenarioRuns.scenario(), runCounts)) {
                    its.warmUps().add(run(its.candidate(), scenarioRuns, runCounts.warmUp(), 0));
                }
            }
        }
        List<ScenarioRuns> order = new ArrayList<>(scenarioRunses);
        for (int number = 1; number <= runCounts.runs(); number++) {
            for (ScenarioRuns scenarioRuns : order) {
                for (CandidateRuns its : scenarioRuns.order()) {
                    its.runs().add(run(its.candidate(), scenarioRuns, runSizes, number));
                }
                Collections.rotate(scenarioRuns.order(), -1);
            }
            Collections.rotate(order, -1);
        }
        return scenarioRunses.stream()
                .map(scenarioRuns -> scenarioRuns.section(
                        runSizes, benchmarkDatabase.connections(), leftOut(scenarioRuns.scenario(), candidates)))
                .toList();
    }

    /** An idle queue does not get idler by warming up, nor other processes. */
    private static boolean warmsUp(Scenario scenario, RunCounts runCounts) {
        return runCounts.warmUp() != null && (scenario.metric() == Metric.RATE || scenario.metric() == Metric.P99);
    }

    private static List<Candidate> able(Scenario scenario, List<Candidate> candidates) {
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

    private Run run(Candidate candidate, ScenarioRuns scenarioRuns, RunSizes of, int number) throws SQLException {
        String where = scenarioRuns.name();
        progressListener.begin(where + " " + candidate.name() + (number == 0 ? " warming up" : " run " + number));
        try {
            benchmarkDatabase.prepare();
            return new Run(number, measured(candidate, scenarioRuns.scenario(), of), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (Exception e) { // of the candidate: the others go on
            System.err.println("benchmarks: " + where + " " + candidate.name() + " failed");
            e.printStackTrace();
            return new Run(number, null, String.valueOf(e));
        } finally {
            benchmarkDatabase.clear();
            progressListener.end();
        }
    }

    private RunFigures measured(Candidate candidate, Scenario scenario, RunSizes of) throws Exception {
        BenchmarkRun.RunContext runContext = new BenchmarkRun.RunContext(
                candidate,
                progressListener,
                (candidateDatabase, role, arguments) ->
                        BenchmarkProcessMain.start(candidate, candidateDatabase, role, arguments));
        int poolSize = scenario.parallelism().poolSize(benchmarkDatabase.connections());
        try (CandidateDatabase candidateDatabase = new CandidateDatabase(
                        benchmarkDatabase.login(), benchmarkDatabase.vendor(), scenario.parallelism(), poolSize);
                CandidateAdapter candidateAdapter = candidate.open(candidateDatabase);
                BenchmarkRun benchmarkRun = new BenchmarkRun(candidateDatabase, candidateAdapter, of, runContext)) {
            RunFigures runFigures = scenario.procedure().run(benchmarkRun);
            return runFigures.withAll(candidateAdapter.failures());
        }
    }

    /**
     * A scenario under way.
     *
     * @param turns of the candidates that take part
     * @param order the same in the order of the next round
     */
    private record ScenarioRuns(
            Workload workload, Scenario scenario, List<CandidateRuns> turns, List<CandidateRuns> order) {

        static ScenarioRuns of(Workload workload, Scenario scenario, List<Candidate> candidates) {
            List<CandidateRuns> turns =
                    candidates.stream().map(CandidateRuns::new).toList();
            return new ScenarioRuns(workload, scenario, turns, new ArrayList<>(turns));
        }

        String name() {
            return workload.name() + "/" + scenario.name();
        }

        Section section(RunSizes runSizes, int connections, Map<String, String> leftOut) {
            List<Entry> entries = turns.stream()
                    .map(its -> new Entry(its.candidate(), its.runs(), its.warmUps()))
                    .toList();
            return new Section(
                    workload.name(),
                    scenario.name(),
                    scenario.metric(),
                    scenario.sizes(runSizes, connections),
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
}

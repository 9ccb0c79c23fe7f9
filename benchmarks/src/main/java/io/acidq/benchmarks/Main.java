package io.acidq.benchmarks;

import io.acidq.benchmarks.report.Goals;
import io.acidq.benchmarks.report.Json;
import io.acidq.benchmarks.report.Results;
import io.acidq.benchmarks.report.Section;
import io.acidq.benchmarks.report.SvgPlot;
import io.acidq.benchmarks.report.TextTable;
import io.acidq.benchmarks.workload.Workloads;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The main class. Exit code 0: AcidQ lost, doubled, disordered and failed nothing (what others did is marked in the table), and with
 * --check reached half of each goal that its candidates are for; 1: not so; 2: the command line or the database is of no use.
 */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures AcidQ beside hand-written queues and its peers.")
public final class Main implements Callable<Integer> {

    @Mixin
    private final BenchmarkOptions benchmarkOptions = new BenchmarkOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private List<String> arguments = List.of();

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs it in this process; returns the exit code. */
    static int execute(String... args) {
        Main main = new Main();
        main.arguments = List.of(args);
        return new CommandLine(main)
                .setParameterExceptionHandler(Main::refuse)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    e.printStackTrace();
                    return 2;
                })
                .execute(args);
    }

    /** With what is wrong only: all the options are told by --help. */
    private static int refuse(ParameterException refused, String[] arguments) {
        PrintWriter err = refused.getCommandLine().getErr();
        err.println("benchmarks: " + refused.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(refused, err);
        err.println("--help tells the options, --list the workloads and candidates.");
        return 2;
    }

    @Override
    public Integer call() throws Exception {
        if (benchmarkOptions.list) {
            list();
            return 0;
        }
        try {
            CandidateSelection candidateSelection =
                    CandidateSelection.of(benchmarkOptions.workloads, benchmarkOptions.candidates);
            RunCounts runCounts = benchmarkOptions.runCounts();
            benchmarkOptions.outputs.check();
            return measure(candidateSelection, runCounts);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int measure(CandidateSelection candidateSelection, RunCounts runCounts) throws Exception {
        int count = BenchmarkRunner.count(candidateSelection, runCounts);
        if (count == 0) {
            throw new IllegalArgumentException("--candidates: none of those named can do any of --workloads");
        }
        try (BenchmarkServer benchmarkServer = reached(() -> BenchmarkServer.of(benchmarkOptions.where));
                BenchmarkDatabase benchmarkDatabase =
                        reached(() -> new BenchmarkDatabase(benchmarkServer, candidateSelection.candidates()))) {
            Map<String, Object> about = RunInfo.of(benchmarkDatabase, benchmarkOptions.runs, arguments);
            Results results = new Results(about, sections(benchmarkDatabase, candidateSelection, runCounts, count));
            report(results);
            return results.isGood() && (!benchmarkOptions.check || passes(results)) ? 0 : 1;
        }
    }

    /** The bar of progress ends before anything else is printed. */
    private List<Section> sections(
            BenchmarkDatabase benchmarkDatabase, CandidateSelection candidateSelection, RunCounts runCounts, int count)
            throws SQLException {
        try (Progress progress = new Progress(count)) {
            return new BenchmarkRunner(benchmarkDatabase, runCounts, progress).run(candidateSelection);
        }
    }

    private <T> T reached(Callable<T> opening) throws Exception {
        try {
            return opening.call();
        } catch (SQLException e) {
            throw new IllegalArgumentException(ConnectionRefusal.of(e, benchmarkOptions.where.user), e);
        }
    }

    private static boolean passes(Results results) {
        Goals.GoalResults goalResults = Goals.evaluate(results);
        goalResults.notEvaluated().forEach(System.out::println);
        goalResults.missed().forEach(System.out::println);
        if (goalResults.evaluated() == 0) {
            System.out.println("--check has judged no goal: name workloads and candidates that one is set for");
        }
        return goalResults.evaluated() > 0
                && goalResults.missed().isEmpty()
                && goalResults.notEvaluated().isEmpty();
    }

    private void report(Results results) throws Exception {
        System.out.print(new TextTable(results));
        if (benchmarkOptions.outputs.json != null) {
            new Json(results).write(benchmarkOptions.outputs.json);
        }
        if (benchmarkOptions.outputs.svg != null) {
            new SvgPlot(results).write(benchmarkOptions.outputs.svg);
        }
    }

    private static void list() {
        System.out.println("workloads:");
        Workloads.all().forEach(workload -> System.out.printf("  %-14s %s%n", workload.name(), workload.purpose()));
        System.out.println("candidates (* take part unless others are named):");
        for (var candidate : Candidates.all()) {
            System.out.printf(
                    "  %-20s %s%s%n",
                    candidate.name(),
                    candidate.abilities(),
                    Candidates.usual().stream().anyMatch(usual -> usual.name().equals(candidate.name())) ? " *" : "");
        }
    }
}

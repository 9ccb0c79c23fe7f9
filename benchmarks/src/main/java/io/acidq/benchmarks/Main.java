package io.acidq.benchmarks;

import io.acidq.benchmarks.BenchmarkRunner.RunCounts;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.report.Goals;
import io.acidq.benchmarks.report.Json;
import io.acidq.benchmarks.report.Results;
import io.acidq.benchmarks.report.ScenarioResult;
import io.acidq.benchmarks.report.SvgPlot;
import io.acidq.benchmarks.report.TextTable;
import io.acidq.benchmarks.workload.Workload;
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
 * The main class. Exit code 0: AcidQ lost or duplicated no message, kept the order and did not fail, and with --check reached half of each goal.
 * Exit code 1: it did not. Exit code 2: the command line is wrong or the database is not usable. The table marks faults of other candidates.
 */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Compares AcidQ with hand-written queues and with other libraries.")
public final class Main implements Callable<Integer> {

    @Mixin
    private final BenchmarkOptions options = new BenchmarkOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private List<String> arguments = List.of();

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs the program in this process and returns the exit code. */
    static int execute(String... args) {
        Main main = new Main();
        main.arguments = List.of(args);
        return new CommandLine(main)
                .setParameterExceptionHandler(Main::reportUsageError)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    e.printStackTrace();
                    return 2;
                })
                .execute(args);
    }

    /** Prints the error without the long list of options. */
    private static int reportUsageError(ParameterException e, String[] arguments) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("benchmarks: " + e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See --help for the options and --list for the workloads and candidates.");
        return 2;
    }

    @Override
    public Integer call() throws Exception {
        if (options.list) {
            list();
            return 0;
        }
        try {
            CandidateSelection selection = CandidateSelection.of(options.workloads, options.candidates);
            RunCounts runCounts = options.runCounts();
            options.output.check();
            return measure(selection, runCounts);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int measure(CandidateSelection selection, RunCounts runCounts) throws Exception {
        int count = BenchmarkRunner.count(selection, runCounts);
        if (count == 0) {
            throw new IllegalArgumentException("--candidates: none of them has the capabilities for --workloads");
        }
        try (BenchmarkServer server = openOrExplain(() -> BenchmarkServer.of(options.database));
                BenchmarkDatabase benchmarkDatabase =
                        openOrExplain(() -> new BenchmarkDatabase(server, selection.candidates()))) {
            Map<String, Object> info = RunInfo.of(benchmarkDatabase, options.runs, arguments);
            Results results = new Results(info, runBenchmarks(benchmarkDatabase, selection, runCounts, count));
            report(results);
            return results.isGood() && (!options.check || reachesGoals(results)) ? 0 : 1;
        }
    }

    /** Closes the progress bar before anything else is printed. */
    private List<ScenarioResult> runBenchmarks(
            BenchmarkDatabase benchmarkDatabase, CandidateSelection selection, RunCounts runCounts, int count)
            throws SQLException {
        try (Progress progress = new Progress(count)) {
            return new BenchmarkRunner(benchmarkDatabase, runCounts, progress).run(selection);
        }
    }

    private <T> T openOrExplain(Callable<T> opening) throws Exception {
        try {
            return opening.call();
        } catch (SQLException e) {
            throw new IllegalArgumentException(connectionError(e, options.database.user), e);
        }
    }

    /** The error message for a connection or statement that the server refuses, with the option to change. */
    static String connectionError(SQLException e, String user) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return switch (e.getErrorCode()) {
            case 1045, 1698 -> "--user, --password: the server refuses the login of '" + user + "': " + message;
            case 1044, 1142, 1227, 1370 ->
                "--user: '" + user + "' lacks a privilege: " + message
                        + ". Name a database in --url on which the user has all privileges, or let the user create one:"
                        + " GRANT ALL ON `acidq\\_bench\\_%`.* TO the user";
            case 1049 ->
                "--url: " + message + ". Create that database, or omit its name: then one is created and dropped";
            default ->
                String.valueOf(e.getSQLState()).startsWith("08")
                        ? "--url: no server answers: " + message
                                + ". Check that it is running and that host and port are right. Without --url, a server"
                                + " is started"
                        : "--url: the server reports an error: " + message;
        };
    }

    private static boolean reachesGoals(Results results) {
        Goals.GoalResults goalResults = Goals.evaluate(results);
        goalResults.notEvaluated().forEach(System.out::println);
        goalResults.missed().forEach(System.out::println);
        if (goalResults.evaluated() == 0) {
            System.out.println("--check evaluated no goal: name workloads and candidates that have a goal");
        }
        return goalResults.evaluated() > 0
                && goalResults.missed().isEmpty()
                && goalResults.notEvaluated().isEmpty();
    }

    private void report(Results results) throws Exception {
        System.out.print(new TextTable(results));
        if (options.output.json != null) {
            new Json(results).write(options.output.json);
        }
        if (options.output.svg != null) {
            new SvgPlot(results).write(options.output.svg);
        }
    }

    private static void list() {
        System.out.println("workloads:");
        Workload.all().forEach(workload -> System.out.printf("  %-14s %s%n", workload.name(), workload.purpose()));
        System.out.println("candidates (* if none is named):");
        for (Candidate candidate : CandidateSelection.allCandidates()) {
            System.out.printf(
                    "  %-20s %s%s%n",
                    candidate.name(), candidate.abilities(), CandidateSelection.isDefault(candidate) ? " *" : "");
        }
    }
}

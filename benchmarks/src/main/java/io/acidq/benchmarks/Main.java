package io.acidq.benchmarks;

import io.acidq.benchmarks.report.Goals;
import io.acidq.benchmarks.report.Json;
import io.acidq.benchmarks.report.Results;
import io.acidq.benchmarks.report.SvgPlot;
import io.acidq.benchmarks.report.TextTable;
import io.acidq.benchmarks.workload.Sizes;
import io.acidq.benchmarks.workload.Workloads;
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
 * --check reached half of each goal; 1: not so; 2: the command line or the database is of no use.
 */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures AcidQ beside hand-written queues and its peers.")
public final class Main implements Callable<Integer> {

    @Mixin
    private final Plan plan = new Plan();

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
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    e.printStackTrace();
                    return 2;
                })
                .execute(args);
    }

    @Override
    public Integer call() throws Exception {
        if (plan.list) {
            list();
            return 0;
        }
        try {
            Choice choice = Choice.of(plan.workloads, plan.candidates);
            Sizes sizes = plan.loads.sizes();
            if (plan.runs < 1) {
                throw new IllegalArgumentException("--runs must be at least 1, was " + plan.runs);
            }
            return measure(choice, sizes);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int measure(Choice choice, Sizes sizes) throws Exception {
        Server server = Server.of(plan.where);
        try (server;
                Progress progress = new Progress(Rounds.count(choice, sizes, plan.runs))) {
            Ground ground = new Ground(server, choice.candidates());
            Map<String, Object> about = About.of(ground, plan.runs, arguments);
            Results results = new Results(about, new Rounds(ground, sizes, plan.runs, progress).run(choice));
            report(results);
            return results.isGood() && (!plan.check || passes(results)) ? 0 : 1;
        }
    }

    private static boolean passes(Results results) {
        Goals.Verdict verdict = Goals.judge(results);
        verdict.unjudged().forEach(System.out::println);
        verdict.missed().forEach(System.out::println);
        if (verdict.judged() == 0) {
            System.out.println("--check has judged no goal: name workloads and candidates that one is set for");
        }
        return verdict.judged() > 0 && verdict.missed().isEmpty();
    }

    private void report(Results results) throws Exception {
        System.out.print(new TextTable(results));
        if (plan.json != null) {
            new Json(results).write(plan.json);
        }
        if (plan.svg != null) {
            new SvgPlot(results).write(plan.svg);
        }
    }

    private static void list() {
        System.out.println("workloads:");
        Workloads.all().forEach(workload -> System.out.printf("  %-14s %s%n", workload.name(), workload.purpose()));
        System.out.println("candidates (* take part unless others are named):");
        for (var candidate : Roster.all()) {
            System.out.printf(
                    "  %-20s %s%s%n",
                    candidate.name(),
                    candidate.abilities(),
                    Roster.usual().stream().anyMatch(usual -> usual.name().equals(candidate.name())) ? " *" : "");
        }
    }
}

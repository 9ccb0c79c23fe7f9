package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Three processes work off a backlog; the one that has claimed most is killed when all have begun. How long until all is done, what the dead one held included. */
final class Recovery implements Workload {

    private static final int NODES = 3;
    private static final int STOP_SECONDS = 60;
    private static final byte[] GO = "go\n".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public String purpose() {
        return NODES
                + " processes work off a backlog, and the one with most claims is killed (kill -9): from then to the last effect";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(scenario(sizes, "kill-none", false), scenario(sizes, "kill-one-of-" + NODES, true));
    }

    private static Scenario scenario(Sizes sizes, String name, boolean kills) {
        return new Scenario(
                name,
                Set.of(Ability.BACKLOG, Ability.NODES),
                new Crew(sizes.workers(), 1, 1),
                sizes.ofMessages().and("processes", NODES).and("killed", kills ? 1 : 0),
                Metric.RECOVERY,
                stage -> run(stage, kills));
    }

    private static Figures run(Stage stage, boolean kills) throws Exception {
        long messages = stage.sizes().messages();
        stage.bench().fill(new Stock(messages, stage.sizes()::letter));
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < NODES; i++) {
                processes.add(stage.elsewhere(Stage.Role.WORK, Working.arguments(stage.sizes())));
            }
            Map<Integer, Process> nodes = letAllWork(processes);
            Victim victim = kills ? Victim.kill(stage, nodes) : null;
            long began = System.nanoTime();
            Map<String, Double> held = victim == null ? Map.of() : Map.of("heldByKilled", (double) victim.held(stage));
            boolean finished = stage.awaitEffects(messages);
            double seconds = (System.nanoTime() - began) / 1e9;
            if (victim != null) {
                processes.remove(victim.process());
            }
            boolean stopped = stop(processes);
            return new Figures(stage.callRoll(messages, messages, finished && stopped))
                    .with(Metric.RECOVERY.key(), seconds)
                    .withAll(held);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** Returns, by their numbers, when all have begun, and lets them go on. */
    private static Map<Integer, Process> letAllWork(List<Process> processes) throws IOException {
        List<BufferedReader> said = processes.stream().map(Process::inputReader).toList();
        for (BufferedReader its : said) {
            Working.awaitReady(its);
        }
        go(processes);
        Map<Integer, Process> byNumber = new HashMap<>();
        for (int i = 0; i < NODES; i++) {
            byNumber.put(Working.awaitWork(said.get(i)), processes.get(i));
        }
        go(processes);
        return byNumber;
    }

    private static void go(List<Process> processes) throws IOException {
        for (Process process : processes) {
            OutputStream input = process.getOutputStream();
            input.write(GO);
            input.flush();
        }
    }

    private static boolean stop(List<Process> nodes) throws IOException, InterruptedException {
        for (Process node : nodes) {
            node.getOutputStream().close();
        }
        boolean stopped = true;
        for (Process node : nodes) {
            stopped &= node.waitFor(STOP_SECONDS, TimeUnit.SECONDS) && node.exitValue() == 0;
        }
        return stopped;
    }
}

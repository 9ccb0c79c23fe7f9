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
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Three processes work off a backlog; one is killed when all have begun. How long until all is done, what the dead one held included. */
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
                + " processes work off a backlog, and one of them is killed (kill -9): from then to the last effect";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(scenario(sizes, "kill-none", 0), scenario(sizes, "kill-one-of-" + NODES, 1));
    }

    private static Scenario scenario(Sizes sizes, String name, int killed) {
        return new Scenario(
                name,
                Set.of(Ability.BACKLOG, Ability.NODES),
                new Crew(sizes.workers(), 1, 1),
                sizes.ofMessages().and("processes", NODES).and("killed", killed),
                Metric.RECOVERY,
                stage -> run(stage, killed));
    }

    private static Figures run(Stage stage, int killed) throws Exception {
        long messages = stage.sizes().messages();
        stage.bench().fill(new Stock(messages, stage.sizes()::letter));
        List<Process> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < NODES; i++) {
                nodes.add(stage.elsewhere(Stage.Role.WORK, Working.arguments(stage.sizes())));
            }
            letAllWork(nodes);
            for (Process victim : nodes.subList(0, killed)) {
                victim.destroyForcibly().waitFor();
            }
            long began = System.nanoTime();
            boolean finished = stage.awaitEffects(messages);
            double seconds = (System.nanoTime() - began) / 1e9;
            boolean stopped = stop(nodes.subList(killed, NODES));
            return new Figures(stage.callRoll(messages, messages, finished && stopped))
                    .with(Metric.RECOVERY.key(), seconds);
        } finally {
            nodes.forEach(Process::destroyForcibly);
        }
    }

    /** All begin at once: the first would be done before the last is up. */
    private static void letAllWork(List<Process> nodes) throws IOException {
        List<BufferedReader> said = nodes.stream().map(Process::inputReader).toList();
        for (BufferedReader its : said) {
            Working.awaitReady(its);
        }
        for (Process node : nodes) {
            OutputStream input = node.getOutputStream();
            input.write(GO);
            input.flush();
        }
        for (BufferedReader its : said) {
            Working.awaitWork(its);
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

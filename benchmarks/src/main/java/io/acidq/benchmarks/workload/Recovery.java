package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunFigures;
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
    public List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(scenario(runSizes, "kill-none", false), scenario(runSizes, "kill-one-of-" + NODES, true));
    }

    private static Scenario scenario(RunSizes runSizes, String name, boolean kills) {
        return new Scenario(
                name,
                Set.of(Capability.BACKLOG, Capability.NODES),
                new Parallelism(runSizes.workers(), 1, 1),
                runSizes.ofMessages().and("processes", NODES).and("killed", kills ? 1 : 0),
                Metric.RECOVERY,
                benchmarkRun -> run(benchmarkRun, kills));
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, boolean kills) throws Exception {
        long messages = benchmarkRun.sizes().messages();
        benchmarkRun.adapter().fill(new Backlog(messages, benchmarkRun.sizes()::message));
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < NODES; i++) {
                processes.add(benchmarkRun.startProcess(
                        BenchmarkRun.Role.WORK, WorkerProcess.arguments(benchmarkRun.sizes())));
            }
            Map<Integer, Process> nodes = letAllWork(processes);
            KilledProcess killedProcess = kills ? KilledProcess.kill(benchmarkRun, nodes) : null;
            long began = System.nanoTime();
            Map<String, Double> held = killedProcess == null
                    ? Map.of()
                    : Map.of("heldByKilled", (double) killedProcess.held(benchmarkRun));
            boolean finished = benchmarkRun.awaitEffects(messages);
            double seconds = (System.nanoTime() - began) / 1e9;
            if (killedProcess != null) {
                processes.remove(killedProcess.process());
            }
            boolean stopped = stop(processes);
            return new RunFigures(benchmarkRun.auditMessages(messages, messages, finished && stopped))
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
            WorkerProcess.awaitReady(its);
        }
        go(processes);
        Map<Integer, Process> byNumber = new HashMap<>();
        for (int i = 0; i < NODES; i++) {
            byNumber.put(WorkerProcess.awaitWork(said.get(i)), processes.get(i));
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

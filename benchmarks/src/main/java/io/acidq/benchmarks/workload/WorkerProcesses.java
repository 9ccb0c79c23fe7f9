package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
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
import java.util.stream.Stream;

/** Several {@link WorkerProcess worker processes} of one run. Not thread-safe. */
final class WorkerProcesses implements AutoCloseable {

    private static final int STOP_SECONDS = 60;
    private static final byte[] GO = "go\n".getBytes(StandardCharsets.US_ASCII);

    private final List<Process> processes = new ArrayList<>();
    private final List<BufferedReader> outputs = new ArrayList<>();

    private WorkerProcesses() {}

    /** A backlog that one, two and four processes share, each with as many workers as the run has. */
    static List<Scenario> scenarios(RunSizes runSizes) {
        return Stream.of(1, 2, 4)
                .map(count -> new Scenario(
                        "processes-" + count,
                        Set.of(Capability.BACKLOG, Capability.PROCESSES),
                        runSizes.workersOnly(),
                        runSizes.ofMessages().and("processes", count),
                        Metric.RATE,
                        benchmarkRun -> drain(benchmarkRun, count)))
                .toList();
    }

    /** Measures the rate of the second half of the messages, since the processes are young. */
    private static RunFigures drain(BenchmarkRun benchmarkRun, int count) throws Exception {
        long messages = benchmarkRun.sizes().messages();
        benchmarkRun.adapter().fill(new Backlog(messages, benchmarkRun.sizes()::message));
        try (WorkerProcesses processes = start(benchmarkRun, count)) {
            processes.awaitWork();
            processes.go();
            boolean finished = benchmarkRun.awaitEffects(messages / 2);
            long before = benchmarkRun.countEffects();
            long start = System.nanoTime();
            finished &= benchmarkRun.awaitEffects(messages);
            double seconds = (System.nanoTime() - start) / 1e9;
            boolean stopped = processes.stop();
            return new RunFigures(benchmarkRun.auditMessages(messages, messages, finished && stopped))
                    .with(Metric.RATE.key(), (messages - before) / seconds);
        }
    }

    /** Starts processes, waits until all are ready, and lets them start their workers. */
    static WorkerProcesses start(BenchmarkRun benchmarkRun, int count) throws IOException {
        WorkerProcesses started = new WorkerProcesses();
        try {
            for (int i = 0; i < count; i++) {
                Process process = benchmarkRun.startProcess(
                        BenchmarkRun.Role.WORK, WorkerProcess.arguments(benchmarkRun.sizes()));
                started.processes.add(process);
                started.outputs.add(process.inputReader());
            }
            for (BufferedReader output : started.outputs) {
                WorkerProcess.awaitReady(output);
            }
            started.go();
            return started;
        } catch (IOException | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Waits until each process has started its first message. Returns their node numbers. */
    List<Integer> awaitWork() throws IOException {
        List<Integer> nodes = new ArrayList<>();
        for (BufferedReader output : outputs) {
            nodes.add(WorkerProcess.awaitWork(output));
        }
        return nodes;
    }

    Map<Integer, Process> byNode(List<Integer> nodes) {
        Map<Integer, Process> byNode = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            byNode.put(nodes.get(i), processes.get(i));
        }
        return byNode;
    }

    /** Lets all processes go on to their next step. */
    void go() throws IOException {
        for (Process process : processes) {
            OutputStream input = process.getOutputStream();
            input.write(GO);
            input.flush();
        }
    }

    /** Removes a process that has been killed. */
    void remove(Process killed) {
        processes.remove(killed);
    }

    /** Stops all processes, and returns whether each ended without an error. */
    boolean stop() throws IOException, InterruptedException {
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        boolean stopped = true;
        for (Process process : processes) {
            stopped &= process.waitFor(STOP_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        }
        return stopped;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}

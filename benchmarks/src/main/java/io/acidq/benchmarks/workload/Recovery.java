package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter.Backlog;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Three processes work off a backlog. When all have started, the one with most claims is killed. Measures the time until all messages are done,
 * those of the killed process included.
 */
final class Recovery {
    static final int NODES = 3;

    private Recovery() {}

    static List<Scenario> scenarios(RunSizes runSizes) {
        return List.of(scenario(runSizes, "kill-none", false), scenario(runSizes, "kill-one-of-" + NODES, true));
    }

    private static Scenario scenario(RunSizes runSizes, String name, boolean kills) {
        return new Scenario(
                name,
                Set.of(Capability.BACKLOG, Capability.NODES),
                runSizes.workersOnly(),
                runSizes.ofMessages().and("processes", NODES).and("killed", kills ? 1 : 0),
                Metric.RECOVERY,
                benchmarkRun -> run(benchmarkRun, kills));
    }

    private static RunFigures run(BenchmarkRun benchmarkRun, boolean kills) throws Exception {
        long messages = benchmarkRun.sizes().messages();
        benchmarkRun.adapter().fill(new Backlog(messages, benchmarkRun.sizes()::message));
        try (WorkerProcesses processes = WorkerProcesses.start(benchmarkRun, NODES)) {
            List<Integer> nodes = processes.awaitWork();
            processes.go();
            KilledProcess killedProcess = kills ? KilledProcess.kill(benchmarkRun, processes.byNode(nodes)) : null;
            long start = System.nanoTime();
            Map<String, Double> held = killedProcess == null
                    ? Map.of()
                    : Map.of("heldByKilled", (double) killedProcess.held(benchmarkRun));
            boolean finished = benchmarkRun.awaitEffects(messages);
            double seconds = (System.nanoTime() - start) / 1e9;
            if (killedProcess != null) {
                processes.remove(killedProcess.process());
            }
            boolean stopped = processes.stop();
            return new RunFigures(benchmarkRun.auditMessages(messages, messages, finished && stopped))
                    .with(Metric.RECOVERY.key(), seconds)
                    .withAll(held);
        }
    }

    /** The killed process. It held messages, because the death of one without messages would delay nothing. */
    record KilledProcess(int node, Process process) {

        private static final int BETWEEN_CHECKS_MILLIS = 10;

        /** Within this time the server ends the transactions of a dead process. Its claims stay for much longer. */
        private static final int SETTLE_MILLIS = 500;

        /**
         * Kills the process with most claims, as soon as one has any.
         *
         * @throws IllegalStateException if no process has claims before all is done or the timeout ends
         */
        static KilledProcess kill(BenchmarkRun benchmarkRun, Map<Integer, Process> nodes) throws Exception {
            long end = System.nanoTime() + benchmarkRun.sizes().timeout().toNanos();
            Optional<Integer> most = withMost(benchmarkRun, nodes);
            while (most.isEmpty()) {
                if (benchmarkRun.hasEffects(benchmarkRun.sizes().messages()) || System.nanoTime() - end > 0) {
                    throw new IllegalStateException(
                            "no process held a message, so none could be killed: use more --messages");
                }
                TimeUnit.MILLISECONDS.sleep(BETWEEN_CHECKS_MILLIS);
                most = withMost(benchmarkRun, nodes);
            }
            KilledProcess killedProcess = new KilledProcess(most.get(), Objects.requireNonNull(nodes.get(most.get())));
            killedProcess.process().destroyForcibly().waitFor();
            return killedProcess;
        }

        private static Optional<Integer> withMost(BenchmarkRun benchmarkRun, Map<Integer, Process> nodes)
                throws Exception {
            return benchmarkRun.adapter().claims().entrySet().stream()
                    .filter(claims -> nodes.containsKey(claims.getKey()))
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey);
        }

        /**
         * The number of messages that the process held at its death. Called soon after the kill.
         *
         * @throws IllegalStateException if it held none
         */
        long held(BenchmarkRun benchmarkRun) throws Exception {
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            Long held = benchmarkRun.adapter().claims().get(node);
            if (held == null) {
                throw new IllegalStateException("the killed process, node " + node
                        + ", held no message at its death, so nothing had to be recovered: use more --messages");
            }
            return held;
        }
    }
}

package io.acidq.benchmarks.workload;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The process that is killed, of several: it held messages, for nobody would have to wait for what one does that holds none. */
record KilledProcess(int node, Process process) {

    private static final int BETWEEN_CHECKS_MILLIS = 10;

    /** By then the server has ended the transactions of a dead process; what it had claimed stays so for far longer. */
    private static final int SETTLE_MILLIS = 500;

    /**
     * Kills the one that has claimed most at the moment, as soon as one has claimed any.
     *
     * @param nodes by their numbers
     * @throws IllegalStateException when none does before all is done, or patience ends
     */
    static KilledProcess kill(BenchmarkRun benchmarkRun, Map<Integer, Process> nodes) throws Exception {
        long end = System.nanoTime() + benchmarkRun.sizes().patience().toNanos();
        Optional<Integer> most = withMost(benchmarkRun, nodes);
        while (most.isEmpty()) {
            if (benchmarkRun.hasEffects(benchmarkRun.sizes().messages()) || System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "no process held a message that could have been killed then: ask for more --messages");
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CHECKS_MILLIS);
            most = withMost(benchmarkRun, nodes);
        }
        KilledProcess killedProcess = new KilledProcess(most.get(), Objects.requireNonNull(nodes.get(most.get())));
        killedProcess.process().destroyForcibly().waitFor();
        return killedProcess;
    }

    private static Optional<Integer> withMost(BenchmarkRun benchmarkRun, Map<Integer, Process> nodes) throws Exception {
        return benchmarkRun.adapter().claims().entrySet().stream()
                .filter(claims -> nodes.containsKey(claims.getKey()))
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /**
     * How many messages it held when it died. Soon after the kill.
     *
     * @throws IllegalStateException when none
     */
    long held(BenchmarkRun benchmarkRun) throws Exception {
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        Long held = benchmarkRun.adapter().claims().get(node);
        if (held == null) {
            throw new IllegalStateException("the killed process, node " + node
                    + ", held no message when it died, so nothing had to be recovered: ask for more --messages");
        }
        return held;
    }
}

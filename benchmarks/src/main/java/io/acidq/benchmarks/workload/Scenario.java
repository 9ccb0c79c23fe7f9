package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One way in which a workload is run.
 *
 * @param name   within its workload
 * @param needs  candidates without all of these are left out
 * @param parallelism   for which the candidate is set up
 * @param size how large it is
 * @param metric the figure by which candidates are compared
 * @param procedure what is done
 */
public record Scenario(
        String name,
        Set<Capability> needs,
        Parallelism parallelism,
        ScenarioSize size,
        Metric metric,
        Procedure procedure) {

    /**
     * All sizes that hold in it: its own, and those of the parallelism.
     *
     * @param connections that the server accepts
     */
    public Map<String, Long> sizes(RunSizes of, int connections) {
        Map<String, Long> all = new LinkedHashMap<>(size.sizes());
        all.put("payloadBytes", (long) of.payload());
        all.put("workers", (long) parallelism.handlers());
        all.put("producers", (long) parallelism.producers());
        all.put("queues", (long) parallelism.queues());
        all.put("poolSize", (long) parallelism.poolSize(connections));
        return all;
    }

    /** What is done in one run. */
    @FunctionalInterface
    public interface Procedure {
        RunFigures run(BenchmarkRun benchmarkRun) throws Exception;
    }
}

package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One way in which a workload is run.
 *
 * @param name        within its workload
 * @param needs       a candidate that lacks one of these is left out
 * @param parallelism for which the candidate is set up
 * @param metric      the figure that compares candidates
 */
public record Scenario(
        String name,
        Set<Capability> needs,
        Parallelism parallelism,
        ScenarioSize size,
        Metric metric,
        Procedure procedure) {

    /**
     * The size of the scenario and of its parallelism.
     *
     * @param maxConnections the server's limit
     */
    public Map<String, Long> sizes(RunSizes runSizes, int maxConnections) {
        Map<String, Long> all = new LinkedHashMap<>(size.sizes());
        all.put("payloadBytes", (long) runSizes.payload());
        all.put("workers", (long) parallelism.handlers());
        all.put("producers", (long) parallelism.producers());
        all.put("queues", (long) parallelism.queues());
        all.put("poolSize", (long) parallelism.poolSize(maxConnections));
        return all;
    }

    /** Performs one run. */
    @FunctionalInterface
    public interface Procedure {
        RunFigures run(BenchmarkRun benchmarkRun) throws Exception;
    }

    /** The size of a scenario, by the names of the JSON. Immutable. */
    public record ScenarioSize(Map<String, Long> sizes) {

        public ScenarioSize {
            sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
        }

        static ScenarioSize of(String name, long value) {
            return new ScenarioSize(Map.of(name, value));
        }

        ScenarioSize and(String name, long value) {
            Map<String, Long> more = new LinkedHashMap<>(sizes);
            more.put(name, value);
            return new ScenarioSize(more);
        }
    }
}

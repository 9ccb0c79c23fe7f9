package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateDatabase.Crew;
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
 * @param crew   for which the candidate is set up
 * @param extent how large it is
 * @param metric the figure by which candidates are compared
 * @param course what is done
 */
public record Scenario(
        String name, Set<Capability> needs, Crew crew, ScenarioSize extent, Metric metric, Course course) {

    /**
     * All sizes that hold in it: its own, and those of the crew.
     *
     * @param connections that the server accepts
     */
    public Map<String, Long> sizes(RunSizes of, int connections) {
        Map<String, Long> all = new LinkedHashMap<>(extent.sizes());
        all.put("payloadBytes", (long) of.payload());
        all.put("workers", (long) crew.handlers());
        all.put("producers", (long) crew.producers());
        all.put("queues", (long) crew.queues());
        all.put("poolSize", (long) crew.poolSize(connections));
        return all;
    }

    /** What is done in one run. */
    @FunctionalInterface
    public interface Course {
        RunFigures run(BenchmarkRun benchmarkRun) throws Exception;
    }
}

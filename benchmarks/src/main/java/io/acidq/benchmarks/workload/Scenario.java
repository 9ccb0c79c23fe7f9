package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import java.util.Set;

/**
 * One way in which a workload is run.
 *
 * @param name   within its workload
 * @param needs  candidates without all of these are left out
 * @param crew   for which the candidate is set up
 * @param metric the figure by which candidates are compared
 * @param course what is done
 */
public record Scenario(String name, Set<Ability> needs, Crew crew, Metric metric, Course course) {

    /** What is done in one run. */
    @FunctionalInterface
    public interface Course {
        Figures run(Stage stage) throws Exception;
    }
}

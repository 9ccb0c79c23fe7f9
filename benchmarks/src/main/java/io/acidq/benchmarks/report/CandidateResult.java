package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.RetriedFailures;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All runs of a candidate in a scenario.
 *
 * @param warmUps runs whose figures do not count; their losses and duplicates are reported
 */
public record CandidateResult(Candidate candidate, List<Run> runs, List<Run> warmUps) {

    public CandidateResult {
        runs = List.copyOf(runs);
        warmUps = List.copyOf(warmUps);
    }

    CandidateResult(Candidate candidate, List<Run> runs) {
        this(candidate, runs, List.of());
    }

    /** The figure of each run; not a number for a run without it. */
    List<Double> values(String key) {
        return runs.stream().map(run -> run.value(key)).toList();
    }

    double median(String key) {
        return Statistics.median(values(key));
    }

    /** The names of all figures, in their order. */
    Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        figures(runs).forEach(figures -> keys.addAll(figures.values().keySet()));
        return keys;
    }

    /** The ratios of this candidate's figure to the other's, run by run. */
    List<Double> ratios(CandidateResult other, String key) {
        List<Double> ratios = new ArrayList<>();
        for (Run run : runs) {
            other.runs.stream()
                    .filter(otherRun -> otherRun.number() == run.number())
                    .map(otherRun -> run.value(key) / otherRun.value(key))
                    .filter(Double::isFinite)
                    .forEach(ratios::add);
        }
        return ratios;
    }

    long lost() {
        return sum(RunAudit::lost);
    }

    long duplicates() {
        return sum(RunAudit::duplicates);
    }

    private long sum(ToLongFunction<RunAudit> count) {
        return figures(everyRun()).stream()
                .map(RunFigures::audit)
                .mapToLong(count)
                .sum();
    }

    private List<Run> everyRun() {
        return Stream.concat(warmUps.stream(), runs.stream()).toList();
    }

    private static List<RunFigures> figures(List<Run> runs) {
        return runs.stream().map(Run::figures).filter(Objects::nonNull).toList();
    }

    /** The numbers of failures that were retried in all runs, because they affect the rates. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        note(notes, RetriedFailures.DEADLOCKS, "deadlocks");
        note(notes, RetriedFailures.OTHERS, "other failures");
        return notes;
    }

    private void note(List<String> notes, String key, String words) {
        long count = (long) total(key);
        if (count > 0) {
            notes.add(words + " " + count);
        }
    }

    private double total(String key) {
        return everyRun().stream()
                .mapToDouble(run -> run.value(key))
                .filter(Double::isFinite)
                .sum();
    }

    /** The faults of its runs. */
    public List<String> marks() {
        List<String> marks = new ArrayList<>();
        if (lost() > 0) {
            marks.add("LOST " + lost());
        }
        if (duplicates() > 0) {
            marks.add("DUPLICATES " + duplicates());
        }
        if (figures(everyRun()).stream().anyMatch(figures -> !figures.audit().finished())) {
            marks.add("UNFINISHED");
        }
        double outOfOrder = total("outOfOrder");
        if (outOfOrder > 0) {
            marks.add("OUT OF ORDER " + (long) outOfOrder);
        }
        everyRun().stream()
                .map(Run::failure)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(failure -> marks.add("FAILED: " + failure));
        return marks;
    }

    /**
     * One run of a candidate in a scenario.
     *
     * @param number  from 1; runs of different candidates with the same number are close in time
     * @param figures null if the run failed
     * @param failure the reason of the failure, or null
     */
    public record Run(
            int number,
            @Nullable RunFigures figures,
            @Nullable String failure) {

        public Run {
            if ((figures == null) == (failure == null)) {
                throw new IllegalArgumentException("a run has either figures or a failure");
            }
        }

        /** The figure of this name; not a number if there is none. */
        double value(String key) {
            return figures == null ? Double.NaN : figures.values().getOrDefault(key, Double.NaN);
        }
    }

    /** Statistics that skip figures that are not a number. */
    static final class Statistics {

        private Statistics() {}

        /** The median; not a number if there are no figures. */
        static double median(Collection<Double> values) {
            double[] sorted = sorted(values);
            if (sorted.length == 0) {
                return Double.NaN;
            }
            int middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }

        static double least(Collection<Double> values) {
            double[] sorted = sorted(values);
            return sorted.length == 0 ? Double.NaN : sorted[0];
        }

        static double most(Collection<Double> values) {
            double[] sorted = sorted(values);
            return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1];
        }

        private static double[] sorted(Collection<Double> values) {
            double[] sorted = values.stream()
                    .mapToDouble(Double::doubleValue)
                    .filter(Double::isFinite)
                    .toArray();
            Arrays.sort(sorted);
            return sorted;
        }
    }
}

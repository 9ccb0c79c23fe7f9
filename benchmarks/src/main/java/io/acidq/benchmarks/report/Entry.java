package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.benchmarks.measure.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A candidate in a scenario, with all its runs.
 *
 * @param warmUps runs whose speed says nothing; what they lose or double is told all the same
 */
public record Entry(Candidate candidate, List<Run> runs, List<Run> warmUps) {

    public Entry {
        runs = List.copyOf(runs);
        warmUps = List.copyOf(warmUps);
    }

    Entry(Candidate candidate, List<Run> runs) {
        this(candidate, runs, List.of());
    }

    /** Of each run that has it. */
    List<Double> values(String key) {
        return runs.stream().map(run -> run.value(key)).toList();
    }

    double median(String key) {
        return Statistics.median(values(key));
    }

    /** Names of all figures, in their order. */
    Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        figures(runs).forEach(runFigures -> keys.addAll(runFigures.values().keySet()));
        return keys;
    }

    /** This one's figure divided by the other's, run by run. */
    List<Double> ratios(Entry other, String key) {
        List<Double> ratios = new ArrayList<>();
        for (Run run : runs) {
            other.runs.stream()
                    .filter(theirs -> theirs.number() == run.number())
                    .map(theirs -> run.value(key) / theirs.value(key))
                    .filter(Double::isFinite)
                    .forEach(ratios::add);
        }
        return ratios;
    }

    long lost() {
        return sum(RunAudit::lost);
    }

    long doubled() {
        return sum(RunAudit::doubled);
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

    /** What one should know of its rates: failures that were tried again, in all runs. Empty when there were none. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        note(notes, Failures.DEADLOCKS, "deadlocks");
        note(notes, Failures.OTHERS, "other failures");
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

    /** What is wrong with its runs: empty when nothing is. */
    public List<String> marks() {
        List<String> marks = new ArrayList<>();
        if (lost() > 0) {
            marks.add("LOST " + lost());
        }
        if (doubled() > 0) {
            marks.add("DOUBLED " + doubled());
        }
        if (figures(everyRun()).stream()
                .anyMatch(runFigures -> !runFigures.audit().finished())) {
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
}

package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.CandidateKind;
import io.acidq.benchmarks.measure.Metric;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A scenario with all who took part.
 *
 * @param sizes   that held in it, by their names in the JSON
 * @param leftOut who could not take part, and what he lacks
 */
public record Section(
        String workload,
        String scenario,
        Metric metric,
        Map<String, Long> sizes,
        List<Entry> entries,
        Map<String, String> leftOut) {

    public Section {
        entries = List.copyOf(entries);
    }

    /** Whose figures the others' are divided by. */
    List<Entry> handWritten() {
        return of(CandidateKind.HAND_WRITTEN);
    }

    /** The peer with the best median, whatever its marks; empty when none has one. */
    Optional<Entry> bestPeer() {
        Comparator<Entry> byMedian = Comparator.comparingDouble(entry -> entry.median(metric.key()));
        return of(CandidateKind.PEER).stream()
                .filter(entry -> Double.isFinite(entry.median(metric.key())))
                .max(metric.higherIsBetter() ? byMedian : byMedian.reversed());
    }

    /** The median of the ratios of their figures, round by round; not a number when there are none. */
    double ratio(Entry entry, Entry other) {
        return Statistics.median(entry.ratios(other, metric.key()));
    }

    private List<Entry> of(CandidateKind candidateKind) {
        return entries.stream()
                .filter(entry -> entry.candidate().kind() == candidateKind)
                .toList();
    }

    Optional<Entry> entry(String candidate) {
        return entries.stream()
                .filter(entry -> entry.candidate().name().equals(candidate))
                .findFirst();
    }
}

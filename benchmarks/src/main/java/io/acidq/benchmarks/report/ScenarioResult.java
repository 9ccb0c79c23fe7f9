package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Candidate.CandidateKind;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.report.CandidateResult.Statistics;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a scenario.
 *
 * @param sizes   by their names in the JSON
 * @param leftOut the candidates that were left out, with the missing capabilities
 */
public record ScenarioResult(
        String workload,
        String scenario,
        Metric metric,
        Map<String, Long> sizes,
        List<CandidateResult> entries,
        Map<String, String> leftOut) {

    public ScenarioResult {
        entries = List.copyOf(entries);
    }

    /** The entries that all others are compared with. */
    List<CandidateResult> handWritten() {
        return of(CandidateKind.HAND_WRITTEN);
    }

    /** The peer with the best median, even if it has faults; empty if no peer has a median. */
    Optional<CandidateResult> bestPeer() {
        Comparator<CandidateResult> byMedian = Comparator.comparingDouble(entry -> entry.median(metric.key()));
        return of(CandidateKind.PEER).stream()
                .filter(entry -> Double.isFinite(entry.median(metric.key())))
                .max(metric.higherIsBetter() ? byMedian : byMedian.reversed());
    }

    /** The median ratio of the two entries' figures, round by round; not a number if there are none. */
    double ratio(CandidateResult entry, CandidateResult other) {
        return Statistics.median(entry.ratios(other, metric.key()));
    }

    private List<CandidateResult> of(CandidateKind candidateKind) {
        return entries.stream()
                .filter(entry -> entry.candidate().kind() == candidateKind)
                .toList();
    }

    Optional<CandidateResult> entry(String candidate) {
        return entries.stream()
                .filter(entry -> entry.candidate().name().equals(candidate))
                .findFirst();
    }
}

package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Kind;
import io.acidq.benchmarks.measure.Metric;
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
        return entries.stream()
                .filter(entry -> entry.candidate().kind() == Kind.HAND_WRITTEN)
                .toList();
    }

    Optional<Entry> entry(String candidate) {
        return entries.stream()
                .filter(entry -> entry.candidate().name().equals(candidate))
                .findFirst();
    }
}

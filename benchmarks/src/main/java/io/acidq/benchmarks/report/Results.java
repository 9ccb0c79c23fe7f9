package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.CandidateKind;
import java.util.List;
import java.util.Map;

/**
 * All that was measured.
 *
 * @param about where, when and with which options
 */
public record Results(Map<String, Object> about, List<Section> sections) {

    public Results {
        sections = List.copyOf(sections);
    }

    /** Whether AcidQ lost, doubled, disordered or failed nothing. */
    public boolean isGood() {
        return sections.stream()
                .flatMap(section -> section.entries().stream())
                .filter(entry -> entry.candidate().kind() == CandidateKind.ACIDQ)
                .allMatch(entry -> entry.marks().isEmpty());
    }

    /** The median of this one's figures divided by its own in the first scenario of its workload, round by round; not a number when it was not in that. */
    double toFirstScenario(Section section, Entry entry) {
        return firstScenario(section)
                .entry(entry.candidate().name())
                .map(first -> section.ratio(entry, first))
                .orElse(Double.NaN);
    }

    /** Of the section's workload. */
    Section firstScenario(Section section) {
        return sections.stream()
                .filter(first -> first.workload().equals(section.workload()))
                .findFirst()
                .orElse(section);
    }
}

package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Candidate.CandidateKind;
import java.util.List;
import java.util.Map;

/**
 * The results of all scenarios.
 *
 * @param info time, options, versions, server and machine
 */
public record Results(Map<String, Object> info, List<Section> sections) {

    public Results {
        sections = List.copyOf(sections);
    }

    /** Whether AcidQ lost and duplicated no message, kept the order and did not fail. */
    public boolean isGood() {
        return sections.stream()
                .flatMap(section -> section.entries().stream())
                .filter(entry -> entry.candidate().kind() == CandidateKind.ACIDQ)
                .allMatch(entry -> entry.marks().isEmpty());
    }

    /** The median ratio of the candidate's figures to its own in the first scenario of the workload, round by round; not a number if there are none. */
    double toFirstScenario(Section section, Entry entry) {
        return firstScenario(section)
                .entry(entry.candidate().name())
                .map(first -> section.ratio(entry, first))
                .orElse(Double.NaN);
    }

    /** The first scenario of the section's workload. */
    Section firstScenario(Section section) {
        return sections.stream()
                .filter(first -> first.workload().equals(section.workload()))
                .findFirst()
                .orElse(section);
    }
}

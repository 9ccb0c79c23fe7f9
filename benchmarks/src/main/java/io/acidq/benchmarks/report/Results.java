package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Kind;
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
                .filter(entry -> entry.candidate().kind() == Kind.ACIDQ)
                .allMatch(entry -> entry.marks().isEmpty());
    }

    /** This one's median divided by its median in the first scenario of its workload; not a number when it was not in that. */
    double toFirstScenario(Section section, Entry entry) {
        String key = section.metric().key();
        return sections.stream()
                .filter(first -> first.workload().equals(section.workload()))
                .findFirst()
                .flatMap(first -> first.entry(entry.candidate().name()))
                .map(first -> entry.median(key) / first.median(key))
                .orElse(Double.NaN);
    }
}

package io.acidq.doctor;

import java.util.Comparator;
import java.util.List;

/**
 * What an examination found, in the order of {@link Check}. Immutable.
 *
 * @param findings at least one for each check that was made
 */
public record Report(List<Finding> findings) {

    public Report {
        findings = List.copyOf(findings);
    }

    /** The level of the worst finding. */
    public Level worst() {
        return findings.stream()
                .map(Finding::level)
                .max(Comparator.naturalOrder())
                .orElse(Level.OK);
    }

    /** The findings of a level. */
    public List<Finding> at(Level level) {
        return findings.stream().filter(f -> f.level() == level).toList();
    }

    /** What a check found; empty when it was not made. */
    public List<Finding> of(Check check) {
        return findings.stream().filter(f -> f.check() == check).toList();
    }
}
